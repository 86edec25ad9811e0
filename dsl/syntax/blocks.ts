/** The blocks that hold items line by line, and what may begin an item in each. */
import { clauseWords, fileWords, graphWords } from "./words.ts";

/** A pair of braces, or the file, by what its items are. */
export type BlockKind = "file" | "graph" | "state" | "body" | "choice" | "match" | "test";

/** The name of an item of each block, and the words that may begin one. */
export const blocks: Readonly<
  Record<BlockKind, { readonly item: string; readonly words: readonly string[] }>
> = {
  file: { item: "a declaration", words: fileWords },
  graph: { item: "a node, a state block or an edge", words: graphWords },
  state: { item: "a field", words: [] },
  body: { item: "a clause", words: clauseWords },
  choice: { item: "a branch", words: ["else"] },
  match: { item: "a case", words: ["else"] },
  test: { item: "a step of a test", words: ["given", "for", "in", "expect"] },
};

/** The blocks that each word belongs to, as hints for a word out of place. */
export const homes: readonly { readonly words: readonly string[]; readonly where: string }[] = [
  { words: graphWords, where: "inside `graph … { }`" },
  { words: clauseWords, where: "inside the braces of a node" },
  { words: fileWords, where: "at the top of the file, outside the graph" },
  { words: ["given", "expect"], where: "inside `test … { }`" },
];
