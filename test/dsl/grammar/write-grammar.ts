/** `npm run grammar`: writes the reference and the diagrams of the grammar, and the table of codes. */
import { writeFileSync } from "node:fs";
import { pages } from "./pages.ts";

for (const { file, url, text } of pages) {
  writeFileSync(url, text());
  process.stdout.write(`dsl/manual/${file}\n`);
}
