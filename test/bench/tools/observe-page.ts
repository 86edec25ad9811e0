/** Observes a page of 2,000 elements on loopback by the tools of the browser, again and again. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { estimateTokens } from "../../../runtime/agents/conversation/tokens.ts";
import { createBrowserTools, type ToolContext } from "../../../runtime/index.ts";

/** Each product has five elements: an item, a heading with a link, a price and a button. */
const PRODUCTS = 400;
const PAGE = `<!doctype html><title>Shop</title><ul>${Array.from(
  { length: PRODUCTS },
  (_, number) =>
    `<li><h3><a href="/product/${number}">Lamp ${number}</a></h3><p>${number}.50 €</p><button>Buy</button></li>`,
).join("")}</ul>`;

export interface PageObservations {
  /** Milliseconds of each observation. */
  readonly times: readonly number[];
  /** Estimated tokens of each text that an agent is shown. */
  readonly tokens: readonly number[];
}

/** The browser that it starts is ended; the first observation of it is not counted. */
export async function observePage(rounds: number): Promise<PageObservations> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end(PAGE);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const browser = createBrowserTools({ privateHosts: [host] });
  const context = { signal: new AbortController().signal } as ToolContext;
  const times: number[] = [];
  const tokens: number[] = [];
  try {
    await browser.visit({ url: `http://${host}/` }, context);
    for (let round = 0; round <= rounds; round += 1) {
      const began = performance.now();
      const text = String(await browser.observe({}, context));
      const ms = performance.now() - began;
      if (!text.includes('button "Buy"')) throw new Error(`the page is not shown: ${text}`);
      if (round === 0) continue;
      times.push(ms);
      tokens.push(estimateTokens(text));
    }
  } finally {
    await browser.end();
    server.closeAllConnections();
    server.close();
  }
  return { times, tokens };
}
