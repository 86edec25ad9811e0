/** `madrigal sql QUERY`: asks the traces in SQL, and prints the rows as a table, as CSV, as JSON or as a chart. */
import { SqlError, type storedRuns, type TraceStore } from "../../../../runtime/index.ts";
import { CommandError } from "../../../command-error.ts";
import { type QuickOptions, queryRows, type Rows, toBundle } from "../../../display/index.ts";
import { EXIT } from "../../../exit-codes.ts";
import { DAY_HINT, readPublishedTraces } from "../../../read-published-traces.ts";
import { useSession } from "../../../session.ts";
import type { CommandCall } from "../../arguments.ts";
import type { CliCommand } from "../../command.ts";
import { print, printJson } from "../../output.ts";
import { readStdin } from "../../read-stdin.ts";
import { openRunsToRead } from "../../stored-runs.ts";
import { writeTextFile } from "./write-file.ts";

/** Nobody reads a table of more rows; CSV and JSON have all of them. */
const TABLE_ROWS = 100;

export const command: CliCommand = {
  options: {
    ...{ csv: "flag", json: "flag", chart: "text", svg: "text", rows: "text" },
    ...{ traces: "text", since: "text", until: "text", graph: "text" },
  },
  arguments: ["QUERY"],
  async run(call) {
    const [word = ""] = call.arguments;
    const query = word === "-" ? await readStdin() : word;
    const session = openRunsToRead();
    useSession(session);
    try {
      const traces = await session.traces();
      const published = publishedOf(call);
      if (published !== undefined) await traces.readPublished([published]);
      await show(await rowsOf(traces, query, call), call);
      return EXIT.done;
    } finally {
      await session.close();
    }
  },
};

/** The published traces that are asked as well. */
function publishedOf(call: CommandCall): storedRuns.PublishedTraces | undefined {
  const folder = call.text("traces");
  const text = { since: call.text("since"), until: call.text("until"), graph: call.text("graph") };
  if (folder === undefined) {
    const extra = Object.entries(text).find(([, value]) => value !== undefined);
    if (extra === undefined) return undefined;
    throw new CommandError("M7102", `\`--${extra[0]}\` is about published traces`, {
      hint: "say `--traces FOLDER` too; of the own runs ask with WHERE",
    });
  }
  const wanted = readPublishedTraces(folder, text);
  if (typeof wanted !== "string") return wanted;
  throw new CommandError("M7104", `\`--${wanted} ${text[wanted]}\` is no day`, { hint: DAY_HINT });
}

/** A table has the first rows; a chart, CSV or JSON of some of the rows would be another one, and is refused. */
async function rowsOf(traces: TraceStore, sql: string, call: CommandCall): Promise<Rows> {
  const isData = call.flag("csv") || call.flag("json") || chartOf(call) !== undefined;
  const asked = call.text("rows");
  const limits = asked === undefined ? {} : { rowsMax: Number(asked) };
  try {
    return await queryRows(
      traces,
      { sql, params: [] },
      isData ? limits : { rowsMax: TABLE_ROWS, more: "cut" },
    );
  } catch (thrown) {
    throw thrown instanceof SqlError ? toCommandError(thrown) : thrown;
  }
}

/** The error of DuckDB with the line and column of the query where it stumbled, if it knows. */
function toCommandError({ code, message, hint, line, column }: SqlError): CommandError {
  const place = {
    file: "QUERY",
    ...(line === undefined || column === undefined ? {} : { line, column }),
  };
  return new CommandError(code, message, { hint, place, exitCode: EXIT.wrong });
}

/** The chart that is asked for; a picture alone is of the chart that fits. */
function chartOf(call: CommandCall): QuickOptions | undefined {
  const type = call.text("chart") as QuickOptions["type"];
  if (type === undefined) return call.text("svg") === undefined ? undefined : {};
  return { type };
}

async function show(rows: Rows, call: CommandCall): Promise<void> {
  const asked = chartOf(call);
  if (asked !== undefined) {
    const { svg, text } = await rows.chart(asked).drawing();
    const file = call.text("svg");
    if (file === undefined) print(text);
    else writeTextFile(file, svg);
  } else if (call.flag("csv")) process.stdout.write(rows.csv());
  else if (call.flag("json")) printJson({ columns: rows.columns, rows: JSON.parse(rows.json()) });
  else print(String((await toBundle(rows)).data["text/plain"]));
}
