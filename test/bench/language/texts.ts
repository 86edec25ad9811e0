/** The texts that are measured: the programs of the language definition, alone and many times over. */
import { readFileSync } from "node:fs";

const folder = new URL("../../dsl/programs/", import.meta.url);
const files = [
  "1-deepsearch",
  "2-plan-code-review",
  "3-magentic",
  "4-state-routing",
  "5-eko-watch",
];

/** Five cells of some forty lines each. */
export const cells: readonly string[] = files.map((file) =>
  readFileSync(new URL(`${file}.madrigal`, folder), "utf8"),
);

/** The cells one after the other, as often as it takes to have so many characters. */
export function textOf(characters: number): string {
  const all = cells.join("\n");
  return all.repeat(Math.ceil(characters / all.length));
}
