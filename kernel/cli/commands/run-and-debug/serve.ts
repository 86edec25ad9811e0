/** `madrigal serve --a2a FILE…`: offers graphs as agents to other programs, until a signal ends it. */
import { CommandError } from "../../../command-error.ts";
import type { CliCommand } from "../../command.ts";

export const command: CliCommand = {
  options: {
    a2a: "flag",
    graph: "texts",
    http: "text",
    token: "text",
    model: "texts",
    scope: "text",
  },
  arguments: ["FILE…"],
  async run(call) {
    if (call.arguments.length === 0)
      throw new CommandError("M7103", "`madrigal serve` needs FILE", { hint: FORM });
    if (!call.flag("a2a"))
      throw new CommandError("M7775", "`madrigal serve` does not say by which protocol", {
        hint: FORM,
      });
    const { serveA2a } = await import("../../../a2a-server/serve-a2a.ts");
    return await serveA2a(call);
  },
};

const FORM = "madrigal serve --a2a FILE…";
