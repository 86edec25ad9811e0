/** The pages of the guide that are made from the grammar and the table of codes, and where they stand. */
import { codesPage } from "./codes-page.ts";
import { diagramsPage } from "./diagrams-page.ts";
import { grammarPage } from "./grammar-page.ts";

export const pages = [
  { file: "grammar.md", text: grammarPage },
  { file: "grammar.html", text: diagramsPage },
  { file: "codes.md", text: codesPage },
].map(({ file, text }) => ({
  file,
  url: new URL(`../../../dsl/manual/${file}`, import.meta.url),
  text,
}));
