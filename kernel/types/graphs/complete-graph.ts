import { parse } from "../../../dsl/index.ts";
import type { CompletionItem, Completions, Place } from "../service.ts";

/** Words of the language: what an item or a clause begins with, and what joins their parts. */
const WORDS =
  "graph agent operator human router run tool reduce state defaults memory import model mcp type test config approve break limit system prompt ask tools skills controller session reads writes edits retry cache ensure every history recall store tell set from as of by via in on after before max need parallel top none summarize backoff until returns start end when each match else true false null".split(
    " ",
  );

/** The words of the language and the names of the text that begin as what stands before the cursor. */
export function completeGraph({ code, offset }: Place): Completions {
  const before = /[\p{L}_$][\p{L}\p{N}_$]*$/u.exec(code.slice(0, offset))?.[0] ?? "";
  const after = /^[\p{L}\p{N}_$]*/u.exec(code.slice(offset))?.[0] ?? "";
  const start = offset - before.length;
  const names = namesOf(`${code.slice(0, start)}${code.slice(offset + after.length)}`);
  const items: readonly CompletionItem[] = [
    ...names,
    ...WORDS.map((text) => ({ text, type: "keyword" })),
  ];
  const known = new Set<string>();
  return {
    items: items.filter(
      ({ text }) => text.startsWith(before) && !known.has(text) && known.add(text) !== undefined,
    ),
    start,
    end: offset + after.length,
  };
}

/** The names that the text declares, with what each of them is. */
function namesOf(text: string): readonly CompletionItem[] {
  const { items } = parse({ file: "cell", text }).ast;
  const graphs = items.filter((item) => item.kind === "graph");
  const inside = graphs.flatMap((graph) => [
    ...graph.params.map(({ name }) => ({ text: name.text, type: "parameter" })),
    ...graph.items.flatMap((item) => {
      if (item.kind === "node" || item.kind === "call")
        return [
          { text: item.name.text, type: item.word },
          ...item.params.map(({ name }) => ({ text: name.text, type: "parameter" })),
        ];
      if (item.kind === "state")
        return item.fields.map(({ name }) => ({ text: name.text, type: "field" }));
      return [];
    }),
  ]);
  const top = items.flatMap((item) => {
    if (item.kind === "model" || item.kind === "mcp" || item.kind === "type")
      return [{ text: item.name.text, type: item.kind }];
    if (item.kind === "import")
      return item.names.map(({ name, as }) => ({ text: (as ?? name).text, type: "import" }));
    return [];
  });
  return [...inside, ...top, ...graphs.map(({ name }) => ({ text: name.text, type: "graph" }))];
}
