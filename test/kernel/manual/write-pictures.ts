/** `npm run pictures`: draws the pictures of the manual's page about charts anew. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PICTURES, pictures } from "./chart-pictures.ts";

rmSync(PICTURES, { recursive: true, force: true });
mkdirSync(PICTURES, { recursive: true });
for (const [name, svg] of await pictures()) {
  writeFileSync(join(PICTURES, name), svg);
  process.stdout.write(`${join(PICTURES, name)}\n`);
}
