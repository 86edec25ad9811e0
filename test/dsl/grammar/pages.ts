/** The two pages that are made from the grammar, and where they stand. */
import { diagramsPage } from "../../../dsl/manual/grammar/diagrams-page.ts";
import { grammarPage } from "../../../dsl/manual/grammar/grammar-page.ts";

export const pages = [
  { file: "grammar.md", text: grammarPage },
  { file: "grammar.html", text: diagramsPage },
].map(({ file, text }) => ({
  file,
  url: new URL(`../../../dsl/manual/${file}`, import.meta.url),
  text,
}));
