/** `madrigal graph FILE [GRAPH]`: draws graphs, also those that can't run yet, or prints their IR. */
import { type Ir, mermaid, type Source } from "../../../../dsl/index.ts";
import { CommandError } from "../../../command-error.ts";
import { dotText, drawGraph, layoutGraph } from "../../../display/index.ts";
import { EXIT } from "../../../exit-codes.ts";
import { checkSource } from "../../../programs/check-source.ts";
import { readProgram } from "../../../programs/read-program.ts";
import type { CommandCall } from "../../arguments.ts";
import type { CliCommand } from "../../command.ts";
import { isError, tellFrames } from "../../frames.ts";
import { print, printJson } from "../../output.ts";
import { chooseGraph } from "../../program.ts";

const FORMATS = ["svg", "mermaid", "dot", "json"] as const;
type Format = (typeof FORMATS)[number];

export const command: CliCommand = {
  options: { mermaid: "flag", json: "flag", svg: "flag", dot: "flag" },
  arguments: ["FILE", "[GRAPH]"],
  async run(call) {
    const format = formatOf(call);
    const [file = "", name] = call.arguments;
    const { source, path } = readProgram(file);
    const { diagnostics, graphs } = await checkSource({ source, path, types: "named" });
    const errors = diagnostics.filter(isError);
    tellFrames(errors, source);
    const isBroken = errors.length > 0 && graphs.length === 0;
    const chosen = isBroken ? [] : chosenGraphs({ source, graphs }, { name, format });
    if (format === "json") printJson({ file: source.file, graphs: chosen });
    else if (chosen.length > 0) print(await drawings(chosen, format));
    return errors.length > 0 ? EXIT.wrong : EXIT.done;
  },
};

/** A picture is of one graph. */
function chosenGraphs(
  program: { readonly source: Source; readonly graphs: readonly Ir[] },
  { name, format }: { readonly name: string | undefined; readonly format: Format },
): readonly Ir[] {
  const isOne = name !== undefined || format === "svg" || program.graphs.length === 0;
  return isOne ? [chooseGraph(program, name)] : program.graphs;
}

function formatOf(call: CommandCall): Format {
  const given = FORMATS.filter((format) => call.flag(format));
  const [format] = given;
  if (format !== undefined && given.length === 1) return format;
  throw new CommandError("M7103", "`madrigal graph` needs one format", {
    hint: `madrigal graph FILE ${FORMATS.map((one) => `--${one}`).join("|")}`,
  });
}

async function drawings(graphs: readonly Ir[], format: Exclude<Format, "json">): Promise<string> {
  const texts: string[] = [];
  for (const ir of graphs) texts.push((await drawing(ir, format)).trimEnd());
  return texts.join("\n\n");
}

async function drawing(ir: Ir, format: Exclude<Format, "json">): Promise<string> {
  switch (format) {
    case "svg":
      return drawGraph(await layoutGraph(ir));
    case "mermaid":
      return mermaid(ir);
    case "dot":
      return dotText(ir);
  }
}
