/** `madrigal import FILE` of spans, and `--listen`: reads runs of other programs for SQL and charts. */
import { once } from "node:events";
import { Session, type storedRuns } from "../../../../runtime/index.ts";
import { CommandError } from "../../../command-error.ts";
import { counted } from "../../../display/visible.ts";
import { EXIT } from "../../../exit-codes.ts";
import type { CommandCall } from "../../arguments.ts";
import { print, printJson, tell } from "../../output.ts";

/** Imports spans from a file; returns the exit code. */
export async function importSpans(call: CommandCall, file: string): Promise<number> {
  const session = new Session();
  try {
    const imported = await session.spans.import(file);
    if (call.flag("json")) {
      const { runs, spans, rejected, reason } = imported;
      printJson({ runs, spans, rejected, ...(reason === undefined ? {} : { reason }) });
    } else {
      tellImported(imported, print);
      const [first] = imported.runs;
      if (first !== undefined) print(`\`madrigal chart waterfall ${first}\` draws it`);
    }
    return imported.rejected > 0 ? EXIT.wrong : EXIT.done;
  } finally {
    await session.close();
  }
}

/** Imports the spans that are posted, until it is interrupted; returns the exit code. */
export async function listenForSpans(call: CommandCall): Promise<number> {
  const session = new Session();
  try {
    const token = call.text("token");
    const endpoint = await session.spans.listen({
      port: portOf(call.text("listen") ?? ""),
      taken: (imported) => tellImported(imported, tell),
      ...(token === undefined ? {} : { token }),
    });
    if (call.flag("json")) printJson({ url: endpoint.url, path: "/v1/traces" });
    else {
      print(`listening: ${endpoint.url}/v1/traces`);
      tell(`OTEL_EXPORTER_OTLP_ENDPOINT=${endpoint.url} OTEL_EXPORTER_OTLP_PROTOCOL=http/json`);
      tell("Ctrl-C ends it");
    }
    await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
    await endpoint.close();
    return EXIT.done;
  } finally {
    await session.close();
  }
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new CommandError("M7104", `\`--listen\` takes a port, and \`${text}\` is none`, {
    hint: "give a port: 0 takes a free one, 4318 is OpenTelemetry's default",
  });
}

function tellImported(
  { runs, spans, rejected, reason }: storedRuns.SpansImported,
  say: (text: string) => void,
) {
  const ids = runs.length === 0 ? "" : `: ${runs.slice(0, 5).join(", ")}`;
  say(`${counted(spans, "span")} of ${counted(runs.length, "run")}${ids}`);
  if (rejected > 0)
    say(`rejected: ${counted(rejected, "span")}${reason === undefined ? "" : `: ${reason}`}`);
}
