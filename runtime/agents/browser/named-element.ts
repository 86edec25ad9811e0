/** Finds what an agent was shown under a ref: the name by which people and the page itself know the element. */
import { isStateful, type ToolCaller } from "../tools/tool-caller.ts";
import type { BrowserCall } from "./agent-browsers.ts";
import { isBrowserState } from "./browser-state.ts";
import { type NamedElement, unknownElement } from "./page/page-elements.ts";
import { elementNamed } from "./page/page-text.ts";

/** Throws M8628 for a ref that the agent was never shown. */
export function namedElement({ context, session }: BrowserCall, ref: string): NamedElement {
  const texts = context.caller === undefined ? session.texts : shownTexts(context.caller);
  const name = elementNamed(ref, texts);
  if (name === undefined) throw unknownElement(ref);
  return { ref, name };
}

/** Says in words of the log alone what a call would act on, for whoever is asked to approve it. */
export function shownElement(
  input: { readonly ref?: unknown },
  caller: ToolCaller,
): string | undefined {
  const { state } = caller;
  const url = isBrowserState(state) ? (state.tabs[state.active]?.url ?? "") : "";
  const where = url === "" ? "" : ` on ${url.slice(0, 200)}`;
  if (typeof input.ref !== "string") return url === "" ? undefined : `That is${where}.`;
  const name = elementNamed(input.ref, shownTexts(caller)) ?? "an element that it was not shown";
  return `That is ${name}${where}.`;
}

/** Returns the texts of pages that the agent was shown, newest first. */
function shownTexts({ results }: ToolCaller): readonly string[] {
  return results.flatMap((result) => (isStateful(result) ? (shownText(result.value) ?? []) : []));
}

export function shownText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const [first] =
    (value as { readonly content?: readonly { readonly text?: string }[] }).content ?? [];
  return first?.text;
}
