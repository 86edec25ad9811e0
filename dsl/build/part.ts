/** The text that one call of the builder stands for. */

export interface BuilderPart {
  /** The call as it was written, `agent("plan")`: what its faults are named after. The second one alike is `…#2`. */
  readonly call: string;
  readonly place: PartPlace;
  /** Whole lines for `file`, `item` and `test`, a piece of the graph's first line for the others. */
  readonly text: string;
  /** The kind of text that must be read here, with nothing beside it: see `contents.ts`. */
  readonly contents: string;
}

/** The place of a text in the program that the builder writes. */
export type PartPlace = "file" | "param" | "returns" | "description" | "item" | "test";

/** All that was said of a graph so far. */
export interface BuilderDraft {
  readonly name: string;
  readonly parts: readonly BuilderPart[];
  /** Graphs that this one calls, which stand before it. */
  readonly uses: readonly BuilderDraft[];
}

/** The draft with one more part, whose call is named apart from those before it. */
export function withPart(draft: BuilderDraft, part: BuilderPart): BuilderDraft {
  const alike = draft.parts.filter(({ call }) => call.replace(/#\d+$/, "") === part.call).length;
  const call = alike === 0 ? part.call : `${part.call}#${alike + 1}`;
  return { ...draft, parts: [...draft.parts, { ...part, call }] };
}

/** Returns the name of a builder's call for diagnostics: `edge("start")`, `param("width")`. */
export function callName(method: string, ...names: readonly string[]): string {
  return `${method}(${names.map((name) => JSON.stringify(name)).join(", ")})`;
}
