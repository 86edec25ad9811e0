/** Serves the handbook of a made-up house on this machine: three pages that a searcher looks at in a browser. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const PAGES: Readonly<Record<string, { readonly title: string; readonly text: string }>> = {
  "/": {
    title: "Handbook",
    text: '<ul><li><a href="/inputs">Inputs</a></li><li><a href="/dates">Dates</a></li></ul>',
  },
  "/inputs": {
    title: "Inputs",
    text: "<p>Every input is parsed before it is used.</p><p>A bad input is answered with the status 422 and the list of its issues.</p>",
  },
  "/dates": { title: "Dates", text: "<p>Dates are stored in UTC.</p>" },
};

/** Opens the handbook on a free port of the loopback address; says which pages were asked for. */
export async function openHandbook() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://handbook").pathname;
    const page = PAGES[path];
    if (page !== undefined) asked.push(path);
    response.writeHead(page === undefined ? 404 : 200, { "content-type": "text/html" });
    const { title, text } = page ?? { title: "Nothing here", text: "" };
    response.end(`<!doctype html><title>${title}</title><h1>${title}</h1>${text}`);
  });
  await new Promise<void>((done) => {
    server.listen(0, "127.0.0.1", done);
  });
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, asked, close };
}
