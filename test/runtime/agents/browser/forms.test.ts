/** An agent fills in a form of three pages in a real browser: what it typed on each page arrives once, together. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { rules } from "../../../../runtime/index.ts";
import { missing } from "../../../support/python-env.ts";
import { refOf, startAgent } from "./driven-browser.ts";

const reason = await missing("chromium");

const FIELDS = ["name", "street", "town"] as const;

/** Serves a form whose pages pass on what the pages before them were told; `sent` has what the last one sends. */
async function openForm() {
  const sent: Readonly<Record<string, string>>[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://form");
    const told = Object.fromEntries(url.searchParams);
    const field = FIELDS[Object.keys(told).length];
    if (url.pathname === "/form" && field === undefined) sent.push(told);
    response.writeHead(200, { "content-type": "text/html" });
    response.end(field === undefined ? "<h1>Thank you</h1>" : pageOf(field, told));
  });
  await new Promise<void>((done) => {
    server.listen(0, "127.0.0.1", done);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { sent, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/form` };
}

function pageOf(field: string, told: Readonly<Record<string, string>>): string {
  const hidden = Object.entries(told).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
  );
  const next = field === FIELDS.at(-1) ? "Send" : "Next";
  return `<!doctype html><h1>Your ${field}</h1><form action="/form">${hidden.join("")}
    <label>${field} <input name="${field}"></label><button>${next}</button></form>`;
}

const ANSWERS = { name: "Ada", street: "Lute Lane 3", town: "Ghent" } as const;

/** Reads the page and does what it lacks, as a model in its place would: visit, then type and go on, page by page. */
const clerk = (url: string) =>
  rules(({ messages }) => {
    const shown = messages
      .filter(({ role }) => role === "tool")
      .map(({ content }) => textOf(JSON.stringify(content)));
    const page = shown.findLast((text) => text.includes("Your ")) ?? "";
    const field = FIELDS.find((name) => page.includes(`Your ${name}`));
    if (shown.at(-1)?.includes("Thank you")) return "done";
    if (field === undefined) return { calls: [{ tool: "browser_visit", input: { url } }] };
    const isTyped = shown.length % 2 === 0;
    const ref = refOf(isTyped ? "button" : "textbox", page);
    const input = isTyped ? { ref } : { ref, text: ANSWERS[field] };
    return { calls: [{ tool: isTyped ? "browser_click" : "browser_type", input }] };
  });

/** The text within a result that is written as JSON. */
const textOf = (json: string) => json.replaceAll("\\n", "\n").replaceAll('\\"', '"');

test.skipIf(reason !== undefined)(
  "M133 [BR] a form of three pages is filled in page by page, and sent once",
  async () => {
    const { url, sent } = await openForm();
    const { run } = startAgent({
      options: { privateHosts: ["127.0.0.1"] },
      says: ["unused"],
      run: { models: { m: clerk(url) } },
    });
    expect(await run.output).toEqual({ answer: "done" });
    expect(sent).toEqual([ANSWERS]);
  },
);
