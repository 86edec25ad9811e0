/** Makes of a page the text that an agent is shown: its elements as assistive technology sees them, in stretches. */
import { createHash } from "node:crypto";
import type { Page } from "playwright-core";
import { estimateTokens } from "../../conversation/tokens.ts";
import { shortText } from "../../values/text-size.ts";
import { withoutUnseen } from "../../values/unseen-characters.ts";
import { withinMs } from "./within-ms.ts";

/** The tokens of one stretch, with the lines around it. */
const TOKENS_MAX = 3_600;
/** A name that a page gives an element may be as long as the page likes. */
const LINE_MAX = 240;
const SNAPSHOT_MS = 10_000;
/** The depth to which a page is read that takes too long as a whole. */
const SHALLOW = 8;

/** The elements of a page, one a line. */
export interface PageLines {
  readonly lines: readonly string[];
  /** Hashes what the page shows, with its address. */
  readonly hash: string;
  /** True where the page was too large to be read to its depth. */
  readonly isShallow: boolean;
}

/** Reads the elements of a page. */
export async function readLines(page: Page, signal: AbortSignal): Promise<PageLines> {
  let isShallow = false;
  const options = { mode: "ai", timeout: SNAPSHOT_MS, signal } as const;
  const read = page.ariaSnapshot(options).catch(async (thrown: unknown) => {
    if (signal.aborted || page.isClosed()) throw thrown;
    isShallow = true;
    return await page.ariaSnapshot({ ...options, depth: SHALLOW });
  });
  const whole = withoutUnseen(await withinMs(2 * SNAPSHOT_MS, read));
  const lines = whole.split("\n").map((line) => shortText(line, LINE_MAX));
  const hash = createHash("sha256")
    .update(`${page.url()}\n${whole.replaceAll(" [active]", "")}`)
    .digest("hex")
    .slice(0, 16);
  return { lines, hash, isShallow };
}

/** Returns the lines from a number on, from 1, that fit one stretch, and where to go on. */
export function stretchOfLines({ lines, isShallow }: PageLines, from = 1): string {
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
    ...(isShallow
      ? ["[the page is too large to be read whole: its deeper elements are left out]"]
      : []),
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
