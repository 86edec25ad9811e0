import { classify } from "../cells/classify.ts";
import type { CellTypes } from "./create-service.ts";
import { completeGraph } from "./graphs/complete-graph.ts";
import type { CompletionItem, Completions, Place } from "./service.ts";

/** What could stand at a place of a cell. */
export function completeCell(at: Place, types: CellTypes): Completions {
  switch (classify(at.code).kind) {
    case "typescript":
      return completeTypeScript(at, types);
    case "graph":
      return completeGraph(at);
    case "magic":
    case "sql":
      return { items: [], start: at.offset, end: at.offset };
  }
}

function completeTypeScript({ code, offset }: Place, types: CellTypes): Completions {
  const found = types.program.complete(code, types.known, offset);
  if (found === undefined) return { items: [], start: offset, end: offset };
  const kinds = new Map(found.original?.entries.map(({ name, kind }) => [name, String(kind)]));
  const written = code.slice(found.start, offset);
  const items = found.candidates.map(
    (text): CompletionItem => ({ text, type: kinds.get(text) || "text" }),
  );
  return { items: bestFirst(items, written), start: found.start, end: found.end };
}

/** What begins as written stands first; otherwise the compiler's own order is kept. */
function bestFirst(items: readonly CompletionItem[], written: string): readonly CompletionItem[] {
  const fits = (item: CompletionItem) => item.text.startsWith(written);
  return [...items.filter(fits), ...items.filter((item) => !fits(item))];
}
