/** Finds the elements that an agent names by their refs, and makes sure that they are still what the agent was shown. */
import type { Locator, Page } from "playwright-core";
import { browserError } from "../browser-error.ts";
import { elementLines, elementNamed } from "./page-text.ts";

/** An element as the agent was shown it. */
export interface NamedElement {
  readonly ref: string;
  /** Its role and name: `button "Buy"`. */
  readonly name: string;
}

/** Rejects with M8628 where the page has no such element now, or another one in its place. */
export async function findElement(
  page: Page,
  { ref, name }: NamedElement,
  signal: AbortSignal,
): Promise<Locator> {
  const lines = await elementLines(page, signal);
  const now = elementNamed(ref, [lines.join("\n")]);
  if (now === undefined) throw changedElement(`the page has no element ${ref} any more`);
  if (now !== name) throw changedElement(`${ref} was ${name}, and is ${now} now`);
  return page.locator(`aria-ref=${ref}`);
}

/** The error for a ref that was never shown. */
export function unknownElement(ref: string): Error {
  return changedElement(`you were shown no element \`${ref.slice(0, 40)}\``);
}

function changedElement(message: string): Error {
  return browserError("M8628", { message, hint: "look at the page by `browser.observe`" });
}
