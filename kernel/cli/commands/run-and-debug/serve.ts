/** `madrigal serve FILE…`: offers graphs to other programs over HTTP, or as agents of A2A, until a signal ends it. */
import { CommandError } from "../../../command-error.ts";
import type { CommandCall } from "../../arguments.ts";
import type { CliCommand } from "../../command.ts";

export const command: CliCommand = {
  options: {
    ...{ a2a: "flag", graph: "texts", http: "text", token: "text", model: "texts", scope: "text" },
    ...{ listen: "text", public: "texts", tokens: "text", audit: "text", rate: "text" },
  },
  arguments: ["FILE…"],
  async run(call) {
    if (call.arguments.length === 0)
      throw new CommandError("M7103", "`madrigal serve` needs FILE", {
        hint: "madrigal serve FILE…",
      });
    if (call.flag("a2a")) {
      assertNone(
        call,
        ["listen", "public", "tokens", "audit", "rate"],
        "serve FILE… without --a2a",
      );
      const { serveA2a } = await import("../../../a2a-server/serve-a2a.ts");
      return await serveA2a(call);
    }
    assertNone(
      call,
      ["token"],
      "serve --a2a; the HTTP server has a token for each role, in a file",
    );
    const { serveHttp } = await import("../../../http-server/serve-command.ts");
    return await serveHttp(call);
  },
};

function assertNone(call: CommandCall, names: readonly string[], whose: string): void {
  const foreign = names.find((name) => call.text(name) !== undefined);
  if (foreign === undefined) return;
  throw new CommandError("M7775", `\`--${foreign}\` is no option of this server`, {
    hint: `it is one of \`madrigal ${whose}\``,
  });
}
