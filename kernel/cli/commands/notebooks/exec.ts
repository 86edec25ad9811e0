/** `madrigal exec NB`: runs a notebook without a front end, and writes it with its outputs. */
import { resolve } from "node:path";
import { workspaceAt } from "../../../../runtime/index.ts";
import { CommandError } from "../../../command-error.ts";
import { readParameters } from "../../../notebook/parameters.ts";
import type { CliCommand } from "../../command.ts";
import { execNotebook } from "../../exec/exec-notebook.ts";

export const command: CliCommand = {
  options: {
    out: "text",
    html: "flag",
    pdf: "flag",
    png: "flag",
    stable: "flag",
    timeout: "text",
    param: "texts",
    answers: "text",
    json: "flag",
  },
  arguments: ["NB"],
  async run(call) {
    const [file = ""] = call.arguments;
    const out = call.text("out");
    const answers = call.text("answers");
    const timeoutMs = readTimeout(call.text("timeout"));
    return await execNotebook({
      file,
      parameters: readParameters(call.texts("param")),
      outDir: out === undefined ? workspaceAt(process.cwd(), process.env).outDir : resolve(out),
      isPage: call.flag("html"),
      isPdf: call.flag("pdf"),
      hasPng: call.flag("png"),
      isStable: call.flag("stable"),
      asJson: call.flag("json"),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(answers === undefined ? {} : { answers }),
    });
  },
};

/** Seconds as people write them → milliseconds. */
function readTimeout(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = Number(text);
  // Node's timers hold 31 bits of milliseconds.
  if (text.trim() !== "" && seconds > 0 && seconds <= 2_000_000) return seconds * 1000;
  throw new CommandError("M7104", `\`--timeout ${text}\` is no number of seconds`, {
    hint: "give seconds for each cell, as in `--timeout 60`",
  });
}
