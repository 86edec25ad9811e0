/** The parts of a graph, and of those that it calls, as one text that knows which call said what. */
import type { BuilderDraft, BuilderPart, PartPlace } from "./part.ts";

/** A text, and where in it each call's words stand. */
export interface WrittenProgram {
  readonly text: string;
  /** The calls in the order of the text; none lies within another. */
  readonly sections: readonly CallSection[];
}

export interface CallSection {
  readonly start: number;
  readonly end: number;
  /** `graph("DeepSearch").agent("plan")` */
  readonly call: string;
}

/** The whole program: what the graphs share, the graphs, their tests. */
export function writeProgram(draft: BuilderDraft): WrittenProgram {
  const drafts = withUsed(draft);
  const writer = new ProgramWriter();
  const shared = new Set<string>();
  for (const { name, part } of drafts.flatMap((one) => partsOf(one, "file"))) {
    // Two graphs that use one model declare it twice, in the same words.
    if (shared.has(part.text)) continue;
    shared.add(part.text);
    writer.section(part.text, sectionName(name, part));
    writer.plain("\n");
  }
  for (const one of drafts) writeGraph(one, writer);
  for (const { name, part } of drafts.flatMap((one) => partsOf(one, "test"))) {
    writer.plain("\n");
    writer.section(part.text, sectionName(name, part));
    writer.plain("\n");
  }
  return writer.written();
}

/** Returns the name of a call on a graph for diagnostics: `graph("G").agent("a")`. */
export function sectionName(graph: string, { call }: BuilderPart): string {
  return `${graphName(graph)}.${call}`;
}

/** Returns the name of a graph's builder for diagnostics: `graph("G")`. */
export function graphName(graph: string): string {
  return `graph(${JSON.stringify(graph)})`;
}

/** A draft and all that it uses, each once, a used one before its user. */
export function withUsed(draft: BuilderDraft): readonly BuilderDraft[] {
  return [...new Set([...draft.uses.flatMap(withUsed), draft])];
}

function partsOf(
  { name, parts }: BuilderDraft,
  place: PartPlace,
): readonly { name: string; part: BuilderPart }[] {
  return parts.filter((part) => part.place === place).map((part) => ({ name, part }));
}

function writeGraph(draft: BuilderDraft, writer: ProgramWriter): void {
  const list = (place: PartPlace, separator: string) => {
    for (const [index, { name, part }] of partsOf(draft, place).entries()) {
      if (index > 0) writer.plain(separator);
      writer.section(part.text, sectionName(name, part));
    }
  };
  const has = (place: PartPlace) => draft.parts.some((part) => part.place === place);
  writer.plain(writer.isEmpty ? "graph " : "\ngraph ");
  writer.section(draft.name, graphName(draft.name));
  writer.plain("(");
  list("param", ", ");
  writer.plain(has("returns") ? ") returns " : ")");
  list("returns", ", ");
  writer.plain(has("description") ? " " : "");
  list("description", " ");
  writer.plain(has("item") ? " {\n  " : " {");
  list("item", "\n  ");
  writer.plain("\n}\n");
}

class ProgramWriter {
  readonly #sections: CallSection[] = [];
  #text = "";

  get isEmpty(): boolean {
    return this.#text === "";
  }

  plain(text: string): void {
    this.#text += text;
  }

  section(text: string, call: string): void {
    const start = this.#text.length;
    this.#text += text;
    this.#sections.push({ start, end: this.#text.length, call });
  }

  written(): WrittenProgram {
    return { text: this.#text, sections: this.#sections };
  }
}
