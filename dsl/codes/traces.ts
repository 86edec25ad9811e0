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
    why: "The file or its write-ahead log could not be read, as happens after a power failure or when a disk is full. It was renamed, and a new one is filled from the runs' logs, which are the truth. Nothing of a run is lost; scores and prices written with SQL come from `.madrigal/traces/kept`, where every process has put them. Delete it when you do not need them.",
  },
  M6004: {
    title: "a trace file of another version was set aside",
    why: "Trace tables change between versions of Madrigal. The old file was renamed, and a new one is filled from the runs' logs. Scores and prices written with SQL are in the new one too.",
  },
  M6005: {
    title: "something could not be traced",
    why: "A run's log could not be read, or its rows could not be written. The run is not touched by it, and the next pass tries again. If it stays so, `madrigal doctor` looks at the log and `madrigal trace rebuild` makes the traces anew.",
  },
  M5438: {
    title: "scores and prices can't be shared",
    why: "What is written to `scores`, `model_prices` and `model_contexts` is put into `.madrigal/traces/kept` before it counts, so that every process sees it. That folder can't be written or read, or the disk is full. A statement that wrote to these tables has changed nothing: make room, or the folder writable, and run it again.",
  },
  M5439: {
    title: "a trace file is not as it was written",
    why: "Each Parquet file of the traces has a checksum over all of its bytes. This one no longer fits it: somebody has changed the file, or a disk or a copy of it has. It is set aside, as `….corrupt-…`; the runs in it are traced again from their logs where those are here, and written anew. Scores and prices stay as the process, or the file before, has them. Delete the file when you do not need it; `madrigal trace prune` takes it too.",
  },
  M6101: {
    title: "the SQL is wrong",
    why: "DuckDB does not understand the statement, or it names a table, column or function that there is not. The views are runs, node_runs, llm_calls, tool_calls, messages, state_changes, steps, artifacts, interrupts and events; `DESCRIBE runs` lists the columns of one.",
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
  M5413: {
    title: "another process does not answer",
    why: "What a process runs in memory only, or writes at its end, is asked of that process. It is busy: a cell of it may block. Queries go on with what it told last; `FROM live_owners` says when that was.",
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
    title: "the query took too long",
    why: "A query of an agent has a few seconds, one thread and little memory, since it asks while a run goes on. Ask for one run (`WHERE run_id = …`), or for sums instead of rows.",
  },
} as const satisfies Record<`M6${number}` | `M54${number}`, CodePage>;
