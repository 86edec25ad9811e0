/** Reads the options that say where Restate is, and where its workers keep large values. */
import { join } from "node:path";
import { workspaceAt } from "../../../../runtime/index.ts";
import { CommandError } from "../../../command-error.ts";
import type { CommandCall } from "../../arguments.ts";

/** Throws M7103 without `--restate`, M7104 for what is no URL. */
export function restateIn(call: CommandCall, command: string): string {
  const url = urlIn(call, "restate");
  if (url !== undefined) return url;
  throw new CommandError("M7103", `\`madrigal ${command}\` needs \`--restate URL\``, {
    hint: "URL is the ingress of a Restate server, as in http://127.0.0.1:8080",
  });
}

export function urlIn(call: CommandCall, option: string): string | undefined {
  const text = call.text(option);
  if (text === undefined || /^https?:$/.test(protocolOf(text) ?? "")) return text;
  throw new CommandError("M7104", `\`--${option}\` is no URL: \`${text}\``, {
    hint: "it looks like http://127.0.0.1:8080",
  });
}

function protocolOf(text: string): string | undefined {
  return URL.canParse(text) ? new URL(text).protocol : undefined;
}

/** The folder of large values: that of the workspace unless said. */
export function blobsIn(call: CommandCall): string {
  return (
    call.text("blobs") ?? join(workspaceAt(process.cwd(), process.env).dataDir, "restate-blobs")
  );
}
