/** Explanations of the error codes M6xxx and M54xx: traces and SQL. */
import type { CodePage } from "./page.ts";

export const traces = {
  M6001: {
    title: "traces are kept in memory only",
    why: "The folder for traces cannot be written, so what the runs do is traced in memory and gone with this process. The runs themselves do not depend on it: `madrigal trace rebuild` makes the traces from their logs. Make the folder writable, or choose another workspace with MADRIGAL_HOME.",
  },
  M6002: {
    title: "another process has the trace file",
    why: "DuckDB lets one process open a file. This process writes a second file beside it, with the same runs in it, since both are derived from the logs. Close the other process if you want one file.",
  },
  M6003: {
    title: "a damaged trace file was set aside",
    why: "The file or its write-ahead log could not be read, as happens after a power failure or when a disk is full. It was renamed, and a new one is filled from the runs' logs, which are the truth. Nothing of a run is lost; scores and prices written with SQL are in `runs.sqlite` and are not touched. Delete the damaged file when you do not need it.",
  },
  M6004: {
    title: "a trace file of another version was set aside",
    why: "Trace tables change between versions of Madrigal. The old file was renamed, and a new one is filled from the runs' logs. Scores and prices written with SQL are in `runs.sqlite` and are not touched.",
  },
  M6005: {
    title: "something could not be traced",
    why: "A run's log could not be read, or its rows could not be written. The run is not touched by it, and the next pass tries again. If it stays so, `madrigal doctor` looks at the log and `madrigal trace rebuild` makes the traces anew.",
  },
  M6006: {
    title: "the thread of the traces stopped",
    why: "Traces are made in a thread of their own. It ran out of memory, or a fault of ours ended it. It is started again with a new file beside the old one; the rows that are in no file are made anew from the logs, so that no run loses anything. Temporary tables and views that you made with SQL are gone. A statement that was under way is asked again, unless it writes scores or prices: look at the tables then. A thread that has stopped six times is not started again in its process; `madrigal trace rebuild` in another one tells what it can't trace.",
  },
  M5438: {
    title: "scores and prices can't be stored or read",
    why: "`scores`, `model_prices` and `model_contexts` are tables of `runs.sqlite`; queries see a copy of them, which is brought up to date before each query. `runs.sqlite` can't be written or read, or the disk of the copy is full. A statement that wrote to these tables has changed nothing: make room, or the file writable, and run it again. Where only the copy is out of date, queries use the rows that were read last, and the next query tries again.",
  },
  M5439: {
    title: "a trace file is not as it was written",
    why: "Each Parquet file of the traces has a checksum over all of its bytes. This one no longer fits it: somebody has changed the file, or a disk or a copy of it has. It is set aside, as `….corrupt-…`; the runs in it are traced again from their logs where those are here, and written anew. Of the files in `traces/kept`, where earlier versions had scores and prices, the newest that is whole is read; a corrupt one stays where it is. Delete the file when you do not need it; `madrigal trace prune` takes it too.",
  },
  M6101: {
    title: "the SQL is wrong",
    why: "DuckDB does not understand the statement, or it names a table, column or function that there is not. The views are runs, node_runs, llm_calls, tool_calls, messages, state_changes, conversation_messages, steps, artifacts, interrupts and events; `DESCRIBE runs` lists the columns of one.",
  },
  M6102: {
    title: "the SQL failed while it ran",
    why: "The statement is well formed, but some row could not be worked out: a value does not fit its type, memory ran out, or the query was cancelled. `TRY_CAST` gives NULL where `CAST` fails.",
  },
  M6103: {
    title: "the traces are closed",
    why: "A query came after the trace store was closed. This is a mistake in the program that asks, not in the query.",
  },
  M6104: {
    title: "the query gives too many rows",
    why: "A row takes memory of the process that asks; a hundred million of them would end it. Let DuckDB add up (`count(*)`, `sum(…)`, `GROUP BY`) and read what comes of that, or say `LIMIT`. sql.rowsMax(1000000)`SELECT …` reads as many as it says.",
  },
  M5410: {
    title: "a trace file of other runs is damaged and left out",
    why: "Runs that have ended lie in `.madrigal/traces/runs` as Parquet, for every process to read. This one can't be read, as happens after a power failure. Queries go on without it, and the runs in it are traced again from their logs. Delete the file when you do not need it.",
  },
  M5411: {
    title: "a trace file of another version is left out",
    why: "The columns of traces change between versions of Madrigal. The runs in this file are traced again from their logs, and written anew.",
  },
  M5412: {
    title: "ended runs could not be written for other processes",
    why: "The folder `.madrigal/traces/runs` can't be written, or the disk is full. The runs are not touched by it: other processes read their logs instead, and the next run that ends tries again.",
  },
  M5414: {
    title: "only one SELECT can be asked here",
    why: "An agent with the tool `traces.query`, and who asks a kernel over HTTP, reads the trace and does nothing else: one statement, a SELECT. Write what you want to know as one; `WITH` gives its parts names.",
  },
  M5415: {
    title: "this can't be asked here",
    why: "An agent with the tool `traces.query`, and who asks a kernel over HTTP, sees the views and macros of the trace. Files, settings, other databases and functions that tell of the process are none of it.",
  },
  M5416: {
    title: "the query took too long, or too much memory",
    why: "A query of an agent has a few seconds, one thread and little memory, since it asks while a run goes on; behind them its process is killed. Ask for one run (`WHERE run_id = …`), or for sums instead of rows.",
  },
  M5417: {
    title: "there are no published traces in this folder",
    why: "`madrigal trace publish FOLDER` writes the ended runs of a workspace into a folder that many share, as `day=2026-11-28/graph=NAME/….parquet`. `%traces FOLDER` and `madrigal sql --traces FOLDER` read such a folder; this one has none of its days.",
  },
  M5418: {
    title: "runs could not be published",
    why: "The folder can't be written, the disk is full, or the workspace keeps its traces in memory. Files appear whole or not at all, so what is there already stays right, and the next `madrigal trace publish` writes the rest.",
  },

  // ── 543: spans of OpenTelemetry, going out and coming in ──────────────────────────────────────
  M5430: {
    title: "the trace has nothing of this run",
    why: "Spans are made of the rows of the trace, and there are none for this run: it has not begun, or its log could not be read (`madrigal trace rebuild` reads all logs anew).",
  },
  M5431: {
    title: "spans can't be sent to this address",
    why: "Spans go to an http or https address as JSON (`http/json`). OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is taken as it is, OTEL_EXPORTER_OTLP_ENDPOINT gets `/v1/traces` behind it; neither is read unless an export asks for it. gRPC and protobuf are not spoken: a collector takes http/json on port 4318 as a rule.",
  },
  M5432: {
    title: "the receiver did not take the spans",
    why: "It could not be reached, took too long, or answered with an error. Where trying again can help (429, 502, 503, 504, a broken line) it was tried five times, as long apart as the receiver asked for. Spans that it took before are there; sending them again does no harm.",
  },
  M5433: {
    title: "the file has no spans that can be read",
    why: "Spans are read from the JSON form of OTLP: a request's body (`{\"resourceSpans\": […]}`), or one such body a line, as a collector's file exporter writes them. Protobuf is not read.",
  },
  M5434: {
    title: "this run is here already, with its log",
    why: "A log knows more than spans do, so spans of a run that this workspace has a log of are not taken. To look at them anyway, import them into another workspace (MADRIGAL_HOME).",
  },
  M5435: {
    title: "an imported run has no log",
    why: "It came in as spans of another program: SQL, views and charts work, but there is nothing to resume, replay, fork or rewind. The program that made it can be asked; a run of Madrigal travels with its log by `madrigal export RUN` without `--otlp`.",
  },
  M5436: {
    title: "the endpoint for spans can't listen",
    why: "The port is taken by another process, or may not be used. Name another one, or none: then a free one is found and printed.",
  },
  M5437: {
    title: "a file of spans can't be read or written",
    why: "The file system refused; its message says why. A file that could not be written whole is not left behind.",
  },
} as const satisfies Record<`M6${number}` | `M54${number}`, CodePage>;
