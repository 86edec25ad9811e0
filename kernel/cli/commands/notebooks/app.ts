/** `madrigal app NB`: serves a notebook as an app for visitors, until a signal ends it. */
import { CommandError } from "../../../command-error.ts";
import { readParameters } from "../../../notebook/parameters.ts";
import type { CliCommand } from "../../command.ts";

export const command: CliCommand = {
  options: { port: "text", visitors: "text", leave: "text", param: "texts", code: "flag" },
  arguments: ["NB"],
  async run(call) {
    const [file = ""] = call.arguments;
    const number = (option: string, otherwise: number, most: number, least = 1) =>
      readNumber(call.text(option), { option, otherwise, least, most });
    const { serveApp } = await import("../../../app/serve-app.ts");
    return await serveApp({
      file,
      parameters: readParameters(call.texts("param")),
      port: number("port", 7600, 65_535, 0),
      visitorsMax: number("visitors", 8, 1000),
      leaveMinutes: number("leave", 10, 10_000),
      showsCode: call.flag("code"),
    });
  },
};

function readNumber(
  text: string | undefined,
  of: {
    readonly option: string;
    readonly otherwise: number;
    readonly least: number;
    readonly most: number;
  },
): number {
  const { option, otherwise, least, most } = of;
  if (text === undefined) return otherwise;
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least && number <= most) return number;
  throw new CommandError("M7104", `\`--${option} ${text}\` is no such number`, {
    hint: `a whole number from ${least} to ${most}`,
  });
}
