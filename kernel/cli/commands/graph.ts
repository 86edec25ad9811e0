/** `madrigal graph FILE`: the graphs of a file as Mermaid or as IR; also of programs that do not run yet. */
import { check, type Ir, mermaid } from "../../../dsl/index.ts";
import { CommandError } from "../../command-error.ts";
import { EXIT } from "../../exit-codes.ts";
import { readSource } from "../../programs/read-source.ts";
import type { Call } from "../arguments.ts";
import type { Command } from "../command.ts";
import { isError, tellFrames } from "../frames.ts";
import { print, printJson } from "../output.ts";

const FORMATS = ["mermaid", "json", "svg", "dot"] as const;
const BUILT: readonly string[] = ["mermaid", "json"];

export const command: Command = {
  options: { mermaid: "flag", json: "flag", svg: "flag", dot: "flag" },
  arguments: ["FILE"],
  async run(call) {
    const format = formatOf(call);
    const source = readSource(call.arguments[0] ?? "");
    const { diagnostics, graphs } = check(source, { allowNotYet: true });
    const errors = diagnostics.filter(isError);
    tellFrames(errors, source);
    if (format === "json") printJson({ file: source.file, graphs });
    else if (graphs.length > 0) print(drawings(graphs));
    if (errors.length > 0) return EXIT.wrong;
    if (graphs.length > 0) return EXIT.done;
    throw new CommandError("M7203", `there is no graph in \`${source.file}\``, {
      exitCode: EXIT.wrong,
    });
  },
};

function formatOf(call: Call): string {
  const given = FORMATS.filter((format) => call.flag(format));
  const [format] = given;
  if (format === undefined || given.length > 1) {
    throw new CommandError("M7103", "`madrigal graph` needs one format", {
      hint: "madrigal graph FILE --mermaid|--json",
    });
  }
  if (BUILT.includes(format)) return format;
  throw new CommandError("M7105", `\`madrigal graph --${format}\` is not built yet`, {
    hint: "`--mermaid` draws it: GitHub, JupyterLab and mermaid.live show that",
  });
}

function drawings(graphs: readonly Ir[]): string {
  return graphs.map((ir) => mermaid(ir).trimEnd()).join("\n\n");
}
