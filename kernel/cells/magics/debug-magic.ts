/** Runs `%debug`: tells what is known of the cell that failed last, and obeys the debugger about the run that failed in it. */
import { printExpression } from "../../../dsl/index.ts";
import { type DrivenRun, RunError, redaction, shortRunId } from "../../../runtime/index.ts";
import { CommandError } from "../../command-error.ts";
import type { Console } from "../../debugging/console/console.ts";
import { commandNamed } from "../../debugging/console/debug-commands.ts";
import { newConsole, obey } from "../../debugging/console/obey.ts";
import { changesText, shownText, statusText } from "../../debugging/console/show.ts";
import { Rows } from "../../display/index.ts";
import { plain } from "../../paint.ts";
import type { Cell } from "../cell.ts";
import { type AtWork, type FailedCell, WrongText } from "../notebook.ts";
import { type CellPlace, textOfCell } from "../output/cell-texts.ts";
import { errorOutput } from "../output/error-output.ts";
import { userFrames } from "../output/stacks.ts";
import { PlainSentence } from "./listing.ts";
import { describeValue } from "./place-magics.ts";
import { type MagicCall, wrongAt } from "./read-magic.ts";

/** `%debug [COMMAND]` */
export async function runDebug(call: MagicCall, { cell, notebook }: AtWork): Promise<unknown> {
  const { last: failed, ran } = notebook.failed;
  const [command] = call.words;
  if (failed === undefined && command === undefined)
    return new PlainSentence("no cell has failed since the kernel started");
  const run = ran === undefined ? undefined : failedRun(ran, notebook);
  if (command !== undefined) {
    if (run === undefined) throw wrongAt(call.source, command, NO_RUN);
    return await obeyIn(cell, consoleOf(run, cell, notebook), command.text);
  }
  if (failed === undefined) return undefined;
  cell.write("stdout", `${failed.cell.name} failed\n${errorText(failed.thrown)}\n`);
  if (run !== undefined) cell.write("stdout", `\n${aboutRun(consoleOf(run, cell, notebook))}\n`);
  const rows = namedValues(placesOf(failed.thrown), notebook.names);
  return rows.length === 0 ? undefined : new Rows(rows);
}

const NO_RUN = {
  code: "M7860",
  message:
    "no run failed in the cell that failed last while it ran, so the debugger has nothing to move",
  hint: "`%debug` alone tells what is known of that cell; `run.step()` and its like move a run",
} as const;

function errorText(thrown: unknown): string {
  const { traceback } = thrown instanceof WrongText ? thrown.output : errorOutput(thrown);
  return traceback.join("\n");
}

/** The error with its causes, each once. */
function chainOf(thrown: unknown): readonly Error[] {
  const chain: Error[] = [];
  for (let one = thrown; one instanceof Error && !chain.includes(one); one = one.cause)
    chain.push(one);
  return chain;
}

function failedRun(
  { cell, thrown }: FailedCell,
  { parts }: AtWork["notebook"],
): DrivenRun | undefined {
  const named = chainOf(thrown).find((one) => one instanceof RunError && one.runId !== undefined);
  if (named instanceof RunError && named.runId !== undefined)
    return parts.session().open(named.runId);
  return [...cell.runs, ...cell.started].findLast(({ status }) => status !== "succeeded");
}

interface CellConsole {
  readonly console: Console;
  /** The cell in which it shows things now. */
  cell: Cell;
}

/** The debugger of each run, with its breakpoints. */
const consoles = new WeakMap<DrivenRun, CellConsole>();

function consoleOf(run: DrivenRun, cell: Cell, { parts }: AtWork["notebook"]): Console {
  const known = consoles.get(run);
  if (known !== undefined) {
    known.cell = cell;
    return known.console;
  }
  const say = (text: string) => made.cell.write("stdout", `${text}\n`);
  const debugged = { session: parts.session(), run };
  const made: CellConsole = { cell, console: newConsole(debugged, { say, paint: plain }) };
  consoles.set(run, made);
  return made.console;
}

/** The verbs that lead on from where a run stands. */
const FORTH: ReadonlySet<string> = new Set(["continue", "step", "next", "out", "set"]);

/** A run that is over stands behind its last step once it is to go on, so that what failed is done anew. */
async function obeyIn(cell: Cell, console: Console, line: string): Promise<undefined> {
  const name = commandNamed(/^\S+/.exec(line)?.[0] ?? "")?.names[0] ?? "";
  const { run } = console.debug;
  if (FORTH.has(name) && run.status === "failed")
    await console.debug.rewind(run.position.last?.step ?? 0);
  await cell.orCancelled(obey(console, line));
  return undefined;
}

function aboutRun({ debug }: Console): string {
  const { run } = debug;
  const failure = redaction.shownValue(run.failure, run);
  const end = run.position.records.findLast(({ kind }) => kind === "end");
  const failedAt = end?.kind === "end" ? end.node : undefined;
  const node = run.ir.nodes.find(({ name }) => name === failedAt);
  const inputs = (node?.call?.args ?? []).map(
    ({ label, value }) =>
      `  ${label ?? printExpression(value)} = ${valueIn(debug, printExpression(value))}`,
  );
  return [
    `run ${shortRunId(run.id)} of ${run.graph}: ${statusText(debug)}${failure === undefined ? "" : `, then ${failure.code} in \`${failedAt ?? "?"}\``}`,
    ...(inputs.length === 0 ? [] : [`inputs of \`${failedAt}\`:`, ...inputs]),
    `state before it:\n${changesText(debug, debug.values("State")) || "  (empty)"}`,
    "`%debug continue` goes on from here once the cause is mended; `%debug help` lists what else the debugger does",
  ].join("\n");
}

/** An expression may name what is not there any more. */
function valueIn(debug: Console["debug"], expression: string): string {
  try {
    return shownText(debug, debug.evaluate(expression));
  } catch (thrown) {
    if (thrown instanceof RunError || thrown instanceof CommandError) return `(${thrown.message})`;
    throw thrown;
  }
}

function placesOf(thrown: unknown): readonly CellPlace[] {
  const frames = chainOf(thrown).flatMap(({ stack }) => userFrames(String(stack)));
  return frames.flatMap((frame) => {
    const [, cell, line, column] = /(\w+\[\d+\]):(\d+):(\d+)/.exec(frame) ?? [];
    return cell === undefined ? [] : [{ cell, line: Number(line), column: Number(column) }];
  });
}

/** The values that the lines of these places name, each once, as they are now. */
function namedValues(places: readonly CellPlace[], names: Readonly<Record<string, unknown>>) {
  const rows = new Map<string, object>();
  for (const { cell, line } of places) {
    const text = textOfCell(cell)?.split("\n")[line - 1] ?? "";
    for (const [name] of text.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) {
      if (!Object.hasOwn(names, name) || rows.has(name)) continue;
      rows.set(name, { name, ...describeValue(names[name]), "named in": `${cell}:${line}` });
    }
  }
  return [...rows.values()];
}
