/** Runs a notebook for `madrigal exec`, reports its progress, and writes it with its outputs. */
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { ownKernelspec } from "../../lab/kernelspec.ts";
import { type Executed, executeNotebook } from "../../notebook/execution/execute-notebook.ts";
import type { NotebookFile } from "../../notebook/notebook.ts";
import { openNotebook } from "../../notebook/open-notebook.ts";
import { assertBrowser, withPictures, writePdf } from "../../notebook/page/print-page.ts";
import { hasParameterCell, unusedParameters, withParameters } from "../../notebook/parameters.ts";
import { executedPath, type Saved, saveExecuted } from "../../notebook/save-executed.ts";
import { keepUnchanged } from "../../notebook/stable-outputs.ts";
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
  /** True if that page is also written as PDF. */
  readonly isPdf?: boolean;
  /** True if drawings get a PNG beside their SVG. */
  readonly hasPng?: boolean;
  /** True if outputs that stand in the file already are kept where only ids and times differ. */
  readonly isStable?: boolean;
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
  const { file, outDir, isPage, isPdf = false, hasPng = false, asJson, summary } = request;
  if (isPdf || hasPng) assertBrowser(process.env);
  const ended = await execute(withInjectedValues(openNotebook(file), request.parameters), request);
  const drawn = hasPng ? await withPictures(ended.notebook, process.env) : ended.notebook;
  const notebook = request.isStable === true ? await stable(drawn, file, outDir) : drawn;
  const saved = saveExecuted(notebook, { file, outDir, isPage });
  const pdf = isPdf ? await writePdf(notebook, { file, outDir, env: process.env }) : undefined;
  tellStop(ended);
  if (asJson) {
    printJson({ ...executionJson(ended, saved), ...(pdf === undefined ? {} : { pdf }) });
  } else {
    const summaryText = ended.stopped === undefined ? summary?.(ended.notebook) : undefined;
    if (summaryText !== undefined) print(`\n${summaryText}\n`);
    print(savedText({ ...saved, ...(pdf === undefined ? {} : { pdf }) }));
  }
  return exitCodeOfExecution(ended);
}

/** Takes the outputs from the file of `--out` where it has the same. */
async function stable(notebook: NotebookFile, file: string, outDir: string): Promise<NotebookFile> {
  const before = executedPath(file, outDir);
  return existsSync(before) ? await keepUnchanged(notebook, openNotebook(before)) : notebook;
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

function savedText({ notebook, page, pdf }: Saved & { readonly pdf?: string }): string {
  return [
    `notebook: ${notebook}`,
    ...(page === undefined ? [] : [`page: ${page}`]),
    ...(pdf === undefined ? [] : [`pdf: ${pdf}`]),
  ].join("\n");
}
