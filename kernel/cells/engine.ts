/** Runs the cells of a notebook, one at a time in each subshell, and replies how each ended. */
import { GraphRun, RunError } from "../../runtime/index.ts";
import { CellMemory } from "../agent-access/cell-memory.ts";
import type { ErrorOutput } from "../cell-output.ts";
import { bundleOf, PLAIN } from "../display/bundle.ts";
import { LiveValue } from "../display/live-value.ts";
import { display as showValue } from "../display/show.ts";
import { type CellReply, type CellRequest, Phase, type RequestId } from "../jupyter/link.ts";
import { Cell } from "./cell.ts";
import { drawInCell, pauseRuns } from "./cell-runs.ts";
import { spentText } from "./cell-spent.ts";
import { cellHere, inCell } from "./current-cell.ts";
import { DebuggedCells } from "./debugged-cells.ts";
import { showToDebugger } from "./debugger-hooks.ts";
import { awaitedHandle } from "./kinds/awaited-handle.ts";
import { classify, withoutTime } from "./kinds/classify.ts";
import { Dependents } from "./kinds/dependents.ts";
import { refuseForeignMagic } from "./kinds/foreign-magic.ts";
import { type CellValue, runTypeScript } from "./kinds/typescript-cell.ts";
import { watchModules } from "./modules/local-modules.ts";
import { refreshModules } from "./modules/refresh-modules.ts";
import { type AtWork, type Notebook, WrongText } from "./notebook.ts";
import { createNames } from "./notebook-names.ts";
import { cancelledOutput } from "./output/cancelled-output.ts";
import { errorOutput } from "./output/error-output.ts";
import { evaluateExpressions } from "./output/user-expressions.ts";
import type { CellParts } from "./parts.ts";
import { holdUpDue, noteChanged, rerunDependents, rerunStale } from "./rerun-cells.ts";
import { callInterruptibly, isInterrupted } from "./run-script.ts";

export class CellEngine {
  readonly #notebook: Notebook;
  readonly #cells = new Set<Cell>();
  /** Handlers of a front end's messages that are under way; each is given up by its rejection. */
  readonly #handlers = new Set<PromiseWithResolvers<never>>();
  /** The cells that clients of the kernel may read. */
  readonly memory = new CellMemory();
  #hidden = 0;
  /** Cells that run again because an input has changed. */
  #settling: Promise<unknown> | undefined;

  constructor(parts: CellParts) {
    const synchronously = <T>(work: () => T): T => callInterruptibly(work, parts.link);
    const dependents = new Dependents();
    const names = createNames();
    const rerun = (request: CellRequest) => this.#rerun(request);
    this.#notebook = {
      parts,
      names,
      dependents,
      imported: new Set(),
      tested: new Map(),
      programs: new Map(),
      failed: {},
      synchronously,
      rerun,
    };
    watchModules();
    showToDebugger({ cells: new DebuggedCells(names) });
  }

  /** The values that cells declared, by name. */
  get names(): Record<string, unknown> {
    return this.#notebook.names;
  }

  /** Never rejects: whatever a cell throws is in its reply. */
  async execute(request: CellRequest): Promise<CellReply> {
    // Not a turn later: what cancels a cell may come at once.
    if (this.#settling !== undefined) await this.#settling;
    this.#notebook.dependents.forget(request.deletedCells ?? []);
    const reply = await this.#execute(request, rerunDependents);
    // A person changed a value while the cell ran.
    if (reply.status === "ok") await this.#settle();
    else holdUpDue(this.#notebook);
    return reply;
  }

  /** In reactive mode, runs again what uses a value that a person has changed; resolves once that is over, or no cell is under way. */
  async changed(value: unknown): Promise<void> {
    if (!this.#notebook.parts.settings.isReactive) return;
    noteChanged(value, this.#notebook);
    if (this.#cells.size === 0) await this.#settle();
  }

  /** Changes meanwhile are seen at the end of it. */
  async #settle(): Promise<void> {
    if (!this.#notebook.parts.settings.isReactive) return;
    this.#settling ??= rerunStale(this.#notebook, { isDue: true }).then(
      () => (this.#settling = undefined),
      () => (this.#settling = undefined),
    );
    await this.#settling;
  }

  /** Shows what the cell makes now in place of what it showed. */
  async #rerun(request: CellRequest): Promise<CellReply> {
    const { id } = request;
    this.memory.show(id, CLEARED);
    this.#notebook.parts.link.output(id, CLEARED);
    return await this.#execute({ ...request, userExpressions: {} });
  }

  async #execute(
    request: CellRequest,
    afterwards?: (at: AtWork) => Promise<void>,
  ): Promise<CellReply> {
    const cell = this.#open(request);
    this.#cells.add(cell);
    this.#enterPhase();
    this.memory.begin(request);
    try {
      const at = { cell, notebook: this.#notebook };
      const reply = await inCell(cell, () => this.#runToEnd(at, afterwards));
      this.memory.end(request.id, reply);
      return reply;
    } finally {
      cell.flush();
      this.#cells.delete(cell);
      this.#enterPhase();
    }
  }

  /** Calls what a front end set going beside the cells. What it throws is shown in the cell that it belongs to. */
  async handle(work: () => unknown): Promise<void> {
    const cancelled = Promise.withResolvers<never>();
    this.#handlers.add(cancelled);
    try {
      await Promise.race([this.#notebook.synchronously(work), cancelled.promise]);
    } catch (thrown) {
      cancelled.promise.catch(() => {}); // The race may be over before it.
      if (isInterrupted(thrown)) this.cancel();
      cellHere()?.show(toError(isInterrupted(thrown) ? handlerCancelled() : thrown));
    } finally {
      this.#handlers.delete(cancelled);
      this.#enterPhase();
    }
  }

  /** Gives up the cells under way; without any there is nothing to do. */
  cancel(): void {
    for (const cell of this.#cells) cell.cancel();
    for (const { reject } of this.#handlers) reject(handlerCancelled());
    this.#notebook.parts.link.cancelled();
  }

  /**
   * Returns whether the cell of this request failed or was cancelled, and is still being stopped.
   */
  isEnding(id: RequestId): boolean {
    return [...this.#cells].some((cell) => cell.request.id === id && cell.isEnding);
  }

  #open(request: CellRequest): Cell {
    const { id, executionCount, silent, storeHistory } = request;
    // A request of the front end itself uses no number, so its name must not be the next cell's.
    const isHidden = silent || !storeHistory;
    if (isHidden) this.#hidden += 1;
    const name = isHidden ? `Hidden[${this.#hidden}]` : `Cell[${executionCount}]`;
    const code = withoutTime(request.code);
    const cell = new Cell({ ...request, code }, name, (output) => {
      this.memory.show(id, output);
      this.#notebook.parts.link.output(id, output);
    });
    cell.original = request;
    cell.isTimed = code !== request.code;
    return cell;
  }

  async #runToEnd(at: AtWork, afterwards = async (_at: AtWork) => {}): Promise<CellReply> {
    const { cell } = at;
    const begin = performance.now();
    const spent = () => spentText(cell, performance.now() - begin);
    try {
      await run(at);
      if (cell.isTimed) cell.show({ kind: "display", bundle: bundleOf({ [PLAIN]: spent() }) });
      await afterwards(at);
      // The notebook may be saved as soon as the cell is over.
      if (hasRuns(cell)) await cell.orCancelled(at.notebook.parts.display.drawingsReady());
      const userExpressions = await evaluateExpressions(at, toError);
      return { status: "ok", userExpressions, spent: spent() };
    } catch (thrown) {
      cell.isEnding = true;
      if (isInterrupted(thrown)) this.cancel();
      if (!/^\s*%debug\b/.test(cell.request.code)) noteFailure(at, thrown);
      const { runs, done } = cell.signal.aborted ? pauseRuns(cell) : NOTHING_PAUSED;
      const error = cell.signal.aborted ? cancelledOutput(runs) : toError(thrown);
      cell.flush();
      cell.show(error);
      // The next cell may resume them, so it waits until they stand still.
      await done;
      if (hasRuns(cell)) await at.notebook.parts.display.drawingsReady();
      return { status: "error", error, spent: spent() };
    }
  }

  #enterPhase(): void {
    const isIdle = this.#cells.size === 0 && this.#handlers.size === 0;
    this.#notebook.parts.link.phase(isIdle ? Phase.idle : Phase.awaiting);
  }
}

const CLEARED = { kind: "clear", wait: false } as const;

function hasRuns({ runs, drawn }: Cell): boolean {
  return runs.size > 0 || drawn.size > 0;
}

function handlerCancelled(): RunError {
  return new RunError("M7501", "the handler of a front end's message was cancelled");
}

const NOTHING_PAUSED: { readonly runs: readonly GraphRun[]; readonly done: Promise<void> } = {
  runs: [],
  done: Promise.resolve(),
};

async function run(at: AtWork): Promise<void> {
  const { cell } = at;
  const { code } = cell.request;
  const { kind: written, start } = classify(code);
  const kind = isNegation(code, at.notebook.names) ? "typescript" : written;
  const imports = kind === "typescript" || kind === "graph";
  if (imports && !cell.request.silent && at.notebook.parts.settings.isReloading)
    await refreshModules(at);
  switch (kind) {
    case "typescript":
      refuseForeignMagic({ file: cell.name, text: code });
      await showResult(await runTypeScript({ name: cell.name, code }, at), at);
      return tellAwaitedHandle(code, at);
    // Loaded with the first of them: no other cell waits for what they bring.
    case "graph": {
      assertGraphText(code.slice(start));
      const { declareGraphs } = await import("./kinds/graph-cell.ts");
      const declared = await declareGraphs(code, at);
      const { graphs } = declared;
      const [only] = graphs;
      if (graphs.length === 1) await showResult({ value: only }, at);
      else await showEach(graphs, at);
      const { runTests } = await import("./kinds/test-cell.ts");
      return await runTests(declared, at);
    }
    case "sql": {
      const { runSql } = await import("./kinds/sql-cell.ts");
      return await showResult({ value: await runSql(code, at) }, at);
    }
    case "python": {
      const { runPython } = await import("./kinds/python-cell.ts");
      return await runPython(code, at);
    }
    case "shell": {
      const { runShell } = await import("./kinds/shell-cell.ts");
      return await runShell(code, at);
    }
    case "magic": {
      const { readMagics } = await import("./magics/run-magics.ts");
      const lines = readMagics(code, at);
      for (const line of lines.slice(0, -1)) await showEach([await line()], at);
      return await showResult({ value: await lines.at(-1)?.() }, at);
    }
  }
}

function tellAwaitedHandle(code: string, { cell, notebook }: AtWork): void {
  const graph = cell.request.silent ? undefined : awaitedHandle(code, notebook.names);
  if (graph === undefined) return;
  cell.warn(
    `\`await ${graph}.run(…)\` does not wait for the run, which goes on behind this cell: \`await ${graph}.run(…).output\` does`,
  );
}

/** `!isOpen` of a value that a cell declared, and no command of a shell. */
function isNegation(code: string, names: Readonly<Record<string, unknown>>): boolean {
  const [, name] = /^\s*!\s*([\p{L}_$][\p{L}\p{N}_$]*)\s*;?\s*$/u.exec(code) ?? [];
  return name !== undefined && Object.hasOwn(names, name);
}

function assertGraphText(text: string): void {
  if (text.replaceAll(/\/\/[^\n]*|\/\*[\s\S]*?\*\/|\s+/g, "") !== "") return;
  throw new RunError("M7505", "there is no graph below `%%graph`", {
    hint: "for example: graph Hello(name: string) returns greeting { … }",
  });
}

async function showResult({ value }: CellValue, { cell, notebook }: AtWork): Promise<void> {
  if (value === undefined || cell.request.silent || isDrawn(value, cell)) return;
  const { display, settings } = notebook.parts;
  if (display.isDisplayed(value)) return;
  // As a display, whose content can change.
  if (value instanceof LiveValue) return void (await cell.orCancelled(showValue(value)));
  if (value instanceof GraphRun && settings.isDrawing && !isRunOver(value)) {
    return drawInCell(value, cell, display.followRun);
  }
  const bundle = await cell.orCancelled(notebook.parts.display.toBundle(value));
  cell.show({ kind: "result", bundle });
}

/** A run whose drawing stands in the cell already, and keeps up with it. */
function isDrawn(value: unknown, { drawn }: Cell): boolean {
  return value instanceof GraphRun && drawn.has(value);
}

/** One that may still go on is followed, and asks what it asks, wherever it is shown. */
function isRunOver({ status }: GraphRun): boolean {
  return status === "succeeded" || status === "failed" || status === "aborted";
}

async function showEach(values: readonly unknown[], { cell, notebook }: AtWork): Promise<void> {
  for (const value of values) {
    if (value === undefined) continue;
    const bundle = await cell.orCancelled(notebook.parts.display.toBundle(value));
    cell.show({ kind: "display", bundle });
  }
}

function toError(thrown: unknown): ErrorOutput {
  return thrown instanceof WrongText ? thrown.output : errorOutput(thrown);
}

function noteFailure({ cell, notebook: { failed } }: AtWork, thrown: unknown): void {
  failed.last = { cell, thrown };
  if (!(thrown instanceof WrongText)) failed.ran = failed.last;
}
