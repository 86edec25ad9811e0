/** `madrigal exec NB`: runs a notebook without a front end, and writes it with its outputs. */
import { dirname, resolve } from "node:path";
import { workspaceAt } from "../../../runtime/index.ts";
import { ownKernelspec } from "../../lab/kernelspec.ts";
import { type Executed, executeNotebook } from "../../notebook/execute-notebook.ts";
import type { Notebook } from "../../notebook/notebook.ts";
import { openNotebook } from "../../notebook/open-notebook.ts";
import { hasParameterCell, readParameters, withParameters } from "../../notebook/parameters.ts";
import {
  cellLine,
  type EndedExecution,
  executionJson,
  exitCodeOfExecution,
  nodeLine,
  tellStop,
} from "../../notebook/report-executed.ts";
import { saveExecuted } from "../../notebook/save-executed.ts";
import { listenForStop } from "../../notebook/stop-signals.ts";
import type { Command } from "../command.ts";
import { CommandError } from "../command-error.ts";
import { paintFor, print, printJson, tell } from "../output.ts";

export const command: Command = {
  options: { out: "text", html: "flag", timeout: "text", param: "texts", json: "flag" },
  arguments: ["NB"],
  async run(call) {
    const [file = ""] = call.arguments;
    const parameters = readParameters(call.texts("param"));
    const timeoutMs = readTimeout(call.text("timeout"));
    const out = call.text("out");
    const outDir =
      out === undefined ? workspaceAt(process.cwd(), process.env).outDir : resolve(out);
    const notebook = withTold(openNotebook(file), parameters);
    const asJson = call.flag("json");
    const ended = await execute(notebook, { file, timeoutMs, asJson });
    const saved = saveExecuted(ended.notebook, { file, outDir, isPage: call.flag("html") });
    tellStop(ended);
    if (asJson) printJson(executionJson(ended, saved));
    else print(savedText(saved));
    return exitCodeOfExecution(ended);
  },
};

/** Seconds as people write them → milliseconds. */
function readTimeout(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = Number(text);
  // Node's timers hold 31 bits of milliseconds.
  if (text.trim() !== "" && seconds > 0 && seconds <= 2_000_000) return seconds * 1000;
  throw new CommandError("M7104", `\`--timeout ${text}\` is no number of seconds`, {
    hint: "as in --timeout 60: each cell may take a minute",
  });
}

function withTold(notebook: Notebook, values: Readonly<Record<string, unknown>>): Notebook {
  if (Object.keys(values).length > 0 && !hasParameterCell(notebook)) {
    tell(
      "no cell is tagged `parameters`: the values of `--param` are set before the first cell, which may set others",
    );
  }
  return withParameters(notebook, values);
}

async function execute(
  notebook: Notebook,
  of: {
    readonly file: string;
    readonly timeoutMs: number | undefined;
    readonly asJson: boolean;
  },
): Promise<EndedExecution> {
  const say = of.asJson ? tell : print;
  const paint = paintFor(of.asJson ? process.stderr : process.stdout);
  const kill = new AbortController();
  const stop = listenForStop({
    onFirst: (signal) => tell(`${signal}: interrupting the cell; once more to leave at once`),
    onSecond: () => kill.abort(),
  });
  try {
    const executed: Executed = await executeNotebook(notebook, {
      spec: ownKernelspec(),
      cwd: dirname(resolve(of.file)),
      signal: stop.signal,
      kill: kill.signal,
      ...(of.timeoutMs === undefined ? {} : { timeoutMs: of.timeoutMs }),
      onCell: (cell) => say(cellLine(cell, paint)),
      onNode: (node) => say(nodeLine(node, paint)),
    });
    return { ...executed, signal: stop.received(), timeoutMs: of.timeoutMs };
  } finally {
    stop.release();
  }
}

function savedText({ notebook, page }: ReturnType<typeof saveExecuted>): string {
  return [`notebook: ${notebook}`, ...(page === undefined ? [] : [`page: ${page}`])].join("\n");
}
