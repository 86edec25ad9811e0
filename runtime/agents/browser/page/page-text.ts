/** Makes of a page the text that an agent is shown: its elements as assistive technology sees them, in stretches. */
import { createHash } from "node:crypto";
import type { Page } from "playwright-core";
import { messageOf } from "../../../failure.ts";
import { estimateTokens } from "../../conversation/tokens.ts";
import { shortText } from "../../values/text-size.ts";
import { withoutUnseen } from "../../values/unseen-characters.ts";
import { withinMs } from "./within-ms.ts";

/** The tokens of one stretch, with the lines around it. */
const TOKENS_MAX = 3_600;
/** A name that a page gives an element may be as long as the page likes. */
const LINE_MAX = 240;
const SNAPSHOT_MS = 10_000;
const READINGS_MAX = 5;
/** A page with more elements is shown as its text: its tree would take too long. */
const ELEMENTS_MAX = 30_000;
const COUNT = "document.getElementsByTagName('*').length";
const TEXT = "(document.body?.innerText ?? '').slice(0, 12000)";

/** The elements of a page, one a line. */
export interface PageLines {
  readonly lines: readonly string[];
  /** Hashes what the page shows, with its address. */
  readonly hash: string;
  /** True where the page has too many elements, and the lines are those of its text. */
  readonly isText: boolean;
}

/** Reads the elements of a page; one that goes on to another page meanwhile is read anew. */
export async function readLines(page: Page, signal: AbortSignal): Promise<PageLines> {
  for (let reading = 1; ; reading += 1) {
    try {
      return await readLinesOnce(page, signal);
    } catch (thrown) {
      if (reading === READINGS_MAX || !isLeaving(thrown)) throw thrown;
      signal.throwIfAborted();
      await page.waitForLoadState("domcontentloaded", { timeout: SNAPSHOT_MS });
    }
  }
}

/** Tells from an error of Playwright that the page has gone on to another one. */
function isLeaving(thrown: unknown): boolean {
  return /Execution context was destroyed|because of a navigation/.test(messageOf(thrown));
}

async function readLinesOnce(page: Page, signal: AbortSignal): Promise<PageLines> {
  const count = await withinMs(SNAPSHOT_MS, page.evaluate<number>(COUNT));
  const isText = count > ELEMENTS_MAX;
  const lines = isText
    ? shownLines(await withinMs(SNAPSHOT_MS, page.evaluate<string>(TEXT)), "  ")
    : await elementLines(page, signal);
  const whole = `${page.url()}\n${lines.join("\n").replaceAll(" [active]", "")}`;
  const hash = createHash("sha256").update(whole).digest("hex").slice(0, 16);
  return { lines, hash, isText };
}

/** Reads the tree of elements; the refs in it are then those of the page. */
export async function elementLines(page: Page, signal: AbortSignal): Promise<readonly string[]> {
  const options = { mode: "ai", timeout: SNAPSHOT_MS, signal } as const;
  return shownLines(await withinMs(2 * SNAPSHOT_MS, page.ariaSnapshot(options)));
}

function shownLines(text: string, indent = ""): readonly string[] {
  const lines = withoutUnseen(text).split("\n");
  return lines.map((line) => shortText(`${indent}${line}`, LINE_MAX));
}

/** Returns the lines from a number on, from 1, that fit one stretch, and where to go on. */
export function stretchOfLines({ lines, isText }: PageLines, from = 1): string {
  let tokens = 0;
  let to = from - 1;
  while (to < lines.length) {
    tokens += estimateTokens(lines[to] ?? "") + 1;
    if (tokens > TOKENS_MAX) break;
    to += 1;
  }
  const shown = lines.slice(from - 1, to).join("\n");
  const notes = [
    ...(from > 1 || to < lines.length
      ? [
          to < lines.length
            ? `[lines ${from} to ${to} of ${lines.length}; browser.observe({ from: ${to + 1} }) shows more]`
            : `[lines ${from} to ${to} of ${lines.length}]`,
        ]
      : []),
    ...(isText ? ["[the page has too many elements: this is the beginning of its text]"] : []),
  ];
  return [shown, ...notes].join("\n");
}

/** Returns what a page calls the element of a ref, such as `button "Buy"`, as the newest of the texts that show it says. */
export function elementNamed(ref: string, texts: Iterable<string>): string | undefined {
  for (const text of texts) {
    const line = text
      .split("\n")
      .find((one) => one.includes(`[ref=${ref}]`) && isOfElement(one, ref));
    if (line !== undefined) return nameInLine(line);
  }
  return undefined;
}

/** A name may have another element's ref in its quotes. */
function isOfElement(line: string, ref: string): boolean {
  return line.replace(/"(?:[^"\\]|\\.)*"/g, '""').includes(`[ref=${ref}]`);
}

/** The role and the name of a line: `- button "Buy" [ref=e5]: …`. */
export function nameInLine(line: string): string {
  const found = /^\s*- (?:'|)([\w-]+(?: "(?:[^"\\]|\\.)*")?)/.exec(line);
  return found?.[1] ?? line.trim();
}
