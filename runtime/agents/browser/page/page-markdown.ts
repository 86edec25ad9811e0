/** Reads the text of the page that a browser shows as Markdown. */
import type { Page } from "playwright-core";
import { withinMs } from "./within-ms.ts";

const READ_MS = 10_000;

/** The whole text; rejects where the page does not answer within 10 s. */
export async function markdownOf(page: Page, signal: AbortSignal): Promise<string> {
  const html = await withinMs(READ_MS, page.content());
  const url = URL.canParse(page.url()) ? page.url() : "about:blank";
  const answer = { status: 200, headers: {}, body: Buffer.from(html) };
  const { readPage } = await import("../../web/read-page.ts");
  const { text } = await readPage(new URL(url), answer, signal);
  return text;
}
