/** Finds the elements that an agent names by their refs, and makes sure that they are still what the agent was shown. */
import type { Locator, Page } from "playwright-core";
import { browserError } from "../browser-error.ts";
import { nameInLine } from "./page-text.ts";
import { withinMs } from "./within-ms.ts";

/** An element as the agent was shown it. */
export interface NamedElement {
  readonly ref: string;
  /** Its role and name: `button "Buy"`. */
  readonly name: string;
}

const FIND_MS = 3_000;

/** Rejects with M8628 where the page has no such element now, or another one in its place. */
export async function findElement(
  page: Page,
  { ref, name }: NamedElement,
  signal: AbortSignal,
): Promise<Locator> {
  const found = page.locator(`aria-ref=${ref}`);
  const count = await withinMs(
    FIND_MS,
    found.count().catch(() => 0),
  );
  if (count !== 1) throw changedElement(ref, `the page has no element ${ref} any more`);
  const line = await found
    .ariaSnapshot({ mode: "ai", depth: 0, timeout: FIND_MS, signal })
    .catch(() => "");
  const now = nameInLine(line.split("\n", 1)[0] ?? "");
  if (now !== name) throw changedElement(ref, `${ref} was ${name}, and is ${now || "nothing"} now`);
  return found;
}

/** The error for a ref that was never shown. */
export function unknownElement(ref: string): Error {
  return changedElement(ref, `you were shown no element \`${ref.slice(0, 40)}\``);
}

function changedElement(_: string, message: string): Error {
  return browserError("M8628", { message, hint: "look at the page by `browser.observe`" });
}
