/** Runs a notebook for `madrigal exec`, reports its progress, and writes it with its outputs. */
import { dirname, resolve } from "node:path";
import { ownKernelspec } from "../../lab/kernelspec.ts";
import { type Executed, executeNotebook } from "../../notebook/execution/execute-notebook.ts";
import type { NotebookFile } from "../../notebook/notebook.ts";
import { openNotebook } from "../../notebook/open-notebook.ts";
import { hasParameterCell, unusedParameters, withParameters } from "../../notebook/parameters.ts";
import { type Saved, saveExecuted } from "../../notebook/save-executed.ts";
import { paintFor, print, printJson, tell } from "../output.ts";
import { readAnswers } from "./read-answers.ts";
import {
  cellLine,
  type EndedExecution,
  executionJson,
  exitCodeOfExecution,
  nodeLine,
  tellStop,
} from "./report-executed.ts";
import { listenForStop } from "./stop-signals.ts";

export interface ExecRequest {
  readonly file: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly outDir: string;
  /** True if the page is written too. */
  readonly isPage: boolean;
  readonly asJson: boolean;
  /** The time limit of each cell in milliseconds; no limit if absent. */
  readonly timeoutMs?: number;
  /** A file of answers to what cells ask. */
  readonly answers?: string;
  /** Returns a text about the executed notebook, printed before the paths of its files. */
  readonly summary?: (notebook: NotebookFile) => string | undefined;
}

/** The exit code. */
export async function execNotebook(request: ExecRequest): Promise<number> {
  const { file, outDir, isPage, asJson, summary } = request;
  const ended = await execute(withInjectedValues(openNotebook(file), request.parameters), request);
  const saved = saveExecuted(ended.notebook, { file, outDir, isPage });
  tellStop(ended);
  if (asJson) {
    printJson(executionJson(ended, saved));
  } else {
    const summaryText = ended.stopped === undefined ? summary?.(ended.notebook) : undefined;
    if (summaryText !== undefined) print(`\n${summaryText}\n`);
    print(savedText(saved));
  }
  return exitCodeOfExecution(ended);
}

function withInjectedValues(
  notebook: NotebookFile,
  values: Readonly<Record<string, unknown>>,
): NotebookFile {
  for (const { name, meant } of unusedParameters(notebook, Object.keys(values))) {
    const hint = meant === undefined ? "" : `; did you mean \`${meant}\`?`;
    tell(`no cell has the name \`${name}\` of \`--param\`${hint}`);
  }
  if (Object.keys(values).length > 0 && !hasParameterCell(notebook)) {
    tell(
      "no cell is tagged `parameters`: the values of `--param` are set before the first cell, which may set others",
    );
  }
  return withParameters(notebook, values);
}

async function execute(
  notebook: NotebookFile,
  { file, asJson, timeoutMs, answers }: ExecRequest,
): Promise<EndedExecution> {
  const onQuestion = answers === undefined ? undefined : readAnswers(answers, tell);
  const say = asJson ? tell : print;
  const paint = paintFor(asJson ? process.stderr : process.stdout);
  const kill = new AbortController();
  const stop = listenForStop({
    onFirst: (signal) => tell(`${signal}: interrupting the cell; once more to leave at once`),
    onSecond: () => kill.abort(),
  });
  try {
    const executed: Executed = await executeNotebook(notebook, {
      spec: ownKernelspec(),
      cwd: dirname(resolve(file)),
      signal: stop.signal,
      kill: kill.signal,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(onQuestion === undefined ? {} : { onQuestion }),
      onCell: (cell) => say(cellLine(cell, paint)),
      onNode: (node) => say(nodeLine(node, paint)),
    });
    return { ...executed, signal: stop.received(), timeoutMs };
  } finally {
    stop.release();
  }
}

function savedText({ notebook, page }: Saved): string {
  return [`notebook: ${notebook}`, ...(page === undefined ? [] : [`page: ${page}`])].join("\n");
}
