/** `npm run grammar`: writes the reference and the diagrams of the grammar, and the table of codes. */
import { writeFileSync } from "node:fs";
import { lookaheadFile, lookaheadModule } from "./lookahead-file.ts";
import { pages } from "./pages.ts";

for (const { file, url, text } of pages) {
  writeFileSync(url, text());
  process.stdout.write(`dsl/manual/${file}\n`);
}

writeFileSync(lookaheadFile, lookaheadModule());
process.stdout.write("dsl/syntax/lookahead-paths.ts\n");
