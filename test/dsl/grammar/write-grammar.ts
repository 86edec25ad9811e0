/** `npm run grammar`: writes the reference and the diagrams of the grammar, the table of codes, and what `madrigal/library` exports. */
import { writeFileSync } from "node:fs";
import { programsFile, programsModule } from "../../kernel/library/programs-module.ts";
import { lookaheadFile, lookaheadModule } from "./lookahead-file.ts";
import { pages } from "./pages.ts";

for (const { file, url, text } of pages) {
  writeFileSync(url, text());
  process.stdout.write(`dsl/manual/${file}\n`);
}

writeFileSync(lookaheadFile, lookaheadModule());
process.stdout.write("dsl/syntax/lookahead-paths.ts\n");
writeFileSync(programsFile, programsModule());
process.stdout.write("kernel/library/programs.ts\n");
