/** Explanations of the error codes M76xx: displays, charts and widgets. */
import type { CodePage } from "../page.ts";

export const kernelDisplay = {
  // ── 76: what cells show ───────────────────────────────────────────────────────────────────────
  M7601: {
    title: "the chart would have too many marks",
    why: "A chart of thousands of marks is slow to draw, heavy to store in the notebook, and nobody can read it. Give `chart` the SQL text and let an encoding add up (`aggregate`, `bin`, `timeUnit`): DuckDB then groups the rows before they are drawn.",
  },
  M7602: {
    title: "the chart can't be drawn",
    why: "The specification is Vega-Lite 5's: a `mark` and an `encoding` whose fields are columns of the rows. The message is Vega-Lite's own, or names the column that is not there.",
  },
  M7603: {
    title: "a chart shows the rows it is given, and nothing else",
    why: '`data` in the specification of a chart could load a file or a page. The rows are the first argument of `chart`; an output of a notebook refers to nothing outside of it. So links and pictures are left out too, and a tooltip has no part called `image`, which it would load from the address that stands there: `SELECT image AS file` gives the column another name, `{ field: "image", title: "File" }` its tooltip another title.',
  },
  M7604: {
    title: "there is no such page",
    why: "Tables show a hundred rows at a time; `rows.page(2)` shows the second hundred, and `rows.pageCount` says how many there are.",
  },
  M7605: {
    title: "a value can't show itself",
    why: '`Symbol.for("Jupyter.display")` and `toMimeBundle()` give an object with texts by mime type, as `{ "text/plain": "…" }`. This value\'s gave something else.',
  },
  M7606: {
    title: "nothing of this run is traced",
    why: "Charts of a run are drawn from its trace. The run has no row in it: the id is wrong, or the trace could not be written, which `madrigal trace rebuild` makes good.",
  },
  M7610: {
    title: "too many node runs for this chart",
    why: "A bar for each of thousands of node runs is no picture that anybody reads. `lanes(run)`, `flame(run)` and `parallelism(run)` add them up, `deltas(a, b)` compares two runs node by node, and SQL of your own in `chart` draws a part of them.",
  },
  M7611: {
    title: "there is no chart of this name",
    why: "`madrigal chart --help` lists the charts. A chart of your own is SQL and Vega-Lite, given to `chart` in a cell.",
  },
  M7612: {
    title: "a chart of other runs than it was given",
    why: "Some charts are of one run, some of run A and run B, `state-diff` is of a run and the number of a step, and the others of any number of runs: without one, of all that are traced. In a cell, leave the runs out for all of them: an empty list is of none.",
  },
  M7613: {
    title: "the run has no such step",
    why: "Steps are the commits of a run, numbered from 1; 0 is the state that it began with. `madrigal show RUN` lists them. Those that a rewind undid are no longer steps of the run.",
  },
  M7614: {
    title: "a chart can't be told so",
    why: "`--by` says what latencies are of: `node`, `model` or `tool`. It belongs to `latencies` and `latency-boxes`.",
  },
  M7615: {
    title: "the report can't be written",
    why: "`madrigal report RUN` and `report(run)` write one file, in `.madrigal/out/` unless you say where. The folder is made; that it can't be, or that the disk is full, the message says.",
  },
  M7630: {
    title: "a query would write what it may not",
    why: "The traces are derived from the logs of the runs, which are the truth: what a query wrote into them would be gone with the next rebuild. Three tables are for people: `scores` (what you think of a run), `model_prices` and `model_contexts`. Tables of your own are temporary (`CREATE TEMP TABLE`), and files are written with `COPY (SELECT …) TO 'file'`, `rows.csv(path)` or `rows.parquet(path)`. Every statement is a transaction of its own.",
  },
  M7631: {
    title: "the rows can't be written",
    why: "`rows.csv(file)`, `rows.json(file)` and `rows.parquet(file)` write every row of the question, also those that were not read for the table; they ask the question again for that, so it has to be one SELECT. Without a file, `.csv()` and `.json()` give the text of the rows at hand, which must then be all of them.",
  },
  M7632: {
    title: "the rows make no such chart",
    why: '`rows.chart("bar")` finds the columns that fit: numbers for the height of the marks, something else to tell them apart. Name them, as in `rows.chart({ type: "line", x: "ts", y: "tokens", color: "node" })`, or give a specification of Vega-Lite.',
  },
  M7840: {
    title: "a value of a cell is no table",
    why: "SQL reads tables, views, files, and arrays of cells: `SELECT * FROM people` where `people` is an array of plain objects, whose keys are the columns, or of numbers or texts, which are one column `value`. Another value, or an empty array, has no columns. `${NAME}` binds a number, a text or a date.",
  },
  M7842: {
    title: "an input can't be so",
    why: "The options of an input fit each other: `min` is not above `max`, `step` is above 0, a dropdown has options that read differently, and the value is one that the control can show. A form has sliders, numbers, dropdowns, texts, dates and checkboxes.",
  },
  M7843: {
    title: "an input can't have this value",
    why: "Whatever code or `madrigal exec --param NAME=VALUE` sets must be a value that the control can show: a number within its bounds, one of the options of a dropdown (or what stands for it), a day as `2026-01-31`, true or false, an object with fields of a form, or the numbers of rows.",
  },
  M7841: {
    title: "an array can't be made a table",
    why: "The values of an array of a cell are written as JSON for DuckDB, and typed by what they are. What holds itself, or throws when it is read, is no JSON. Make plain objects of it: `const rows = people.map(({ name, age }) => ({ name, age }))`.",
  },
  M7860: {
    title: "no failed run to debug",
    why: "`%debug COMMAND` moves and shows the run that failed in the cell that failed last, as `madrigal debug` does. That cell failed by something else than a run, or no cell has failed. `%debug` alone tells its error, the causes and the values that its lines name; `runs.last()` is the newest run, with `step()`, `back()` and `continue()`.",
  },
  M7850: {
    title: "there is no Python",
    why: "A cell below `%%python` runs in a Python 3 of this machine: the one that MADRIGAL_PYTHON names, that of `.venv` in the working folder, or the first `python3` on the PATH. None of them is there.",
  },
  M7851: {
    title: "the Python process has ended",
    why: "All `%%python` cells of a notebook share one process. It ended while a cell waited for it: by `os._exit`, by a crash of a library, for want of memory, or because it did not stop when the cell was cancelled. The next cell starts another, without the names of earlier ones.",
  },
  M7640: {
    title: "no picture",
    why: "`image(…)` shows PNG, JPEG, GIF, WebP and SVG, from a file or from bytes, of at most 16 MiB: a notebook keeps what it shows. Other kinds are told by what they are not: their first bytes.",
  },
} as const satisfies Record<string, CodePage>;
