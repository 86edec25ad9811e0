/** What `npm run bench` was called with. */
import { parseArgs } from "node:util";
import { CommandError } from "../../kernel/command-error.ts";
import { suiteNames } from "./suites.ts";

export interface BenchCall {
  readonly name: string;
  /** Where the figures are written as JSON. */
  readonly jsonFile: string | undefined;
}

const USAGE = `npm run bench -- ${suiteNames.join("|")} [--json FILE]`;

/** Throws M7102, M7103 or M7104 when the words say something else. */
export function readBenchCall(words: readonly string[]): BenchCall {
  const { positionals, tokens } = parseArgs({
    args: [...words],
    options: { json: { type: "string" } },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const options = tokens.filter((token) => token.kind === "option");
  const unknown = options.find(({ name }) => name !== "json");
  if (unknown !== undefined) throw wrong("M7102", `there is no option \`${unknown.rawName}\``);
  const [json] = options;
  if (json !== undefined && (json.value ?? "") === "") {
    throw wrong("M7104", "`--json` needs the path of a file");
  }
  const [name, extra] = positionals;
  if (name === undefined) throw wrong("M7103", "which benchmark?");
  if (extra !== undefined) throw wrong("M7103", `\`${extra}\` is one argument too many`);
  return { name, jsonFile: json?.value };
}

function wrong(code: "M7102" | "M7103" | "M7104", message: string): CommandError {
  return new CommandError(code, message, { hint: USAGE });
}
