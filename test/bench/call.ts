/** What `npm run bench` was called with. */
import { parseArgs } from "node:util";
import { CommandError } from "../../kernel/command-error.ts";
import { suiteNames } from "./suites.ts";

export interface BenchCall {
  readonly name: string;
  /** Where the figures are written as JSON. */
  readonly jsonFile: string | undefined;
  /** Words out of the names of the rows that are measured; all rows are where there are none. */
  readonly rows: readonly string[];
}

const USAGE = `npm run bench -- ${suiteNames.join("|")} [--row NAME]… [--json FILE]`;

/** Throws M7102, M7103 or M7104 when the words say something else. */
export function readBenchCall(words: readonly string[]): BenchCall {
  const { positionals, tokens } = parseArgs({
    args: [...words],
    options: { json: { type: "string" }, row: { type: "string", multiple: true } },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const options = tokens.filter((token) => token.kind === "option");
  const unknown = options.find(({ name }) => name !== "json" && name !== "row");
  if (unknown !== undefined) throw wrong("M7102", `there is no option \`${unknown.rawName}\``);
  const empty = options.find(({ value = "" }) => value === "");
  if (empty !== undefined) throw wrong("M7104", `\`--${empty.name}\` needs ${NEEDS[empty.name]}`);
  const valuesOf = (option: string) =>
    options.flatMap(({ name, value = "" }) => (name === option ? [value] : []));
  const [name, extra] = positionals;
  if (name === undefined) throw wrong("M7103", "which benchmark?");
  if (extra !== undefined) throw wrong("M7103", `\`${extra}\` is one argument too many`);
  return { name, jsonFile: valuesOf("json").at(-1), rows: valuesOf("row") };
}

const NEEDS: Readonly<Record<string, string>> = {
  json: "the path of a file",
  row: "the name of a row, or words of it",
};

function wrong(code: "M7102" | "M7103" | "M7104", message: string): CommandError {
  return new CommandError(code, message, { hint: USAGE });
}
