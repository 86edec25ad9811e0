/** Runs the cells of a notebook in a kernel, one after the other, up to the first that fails. */
import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { RunUnderWay } from "../../agent-access/asks.ts";
import { KernelAsks } from "../../agent-access/kernel-asks.ts";
import { CommandError } from "../../command-error.ts";
import { DISPLAY_NAME, KERNEL_NAME, LANGUAGE } from "../../lab/kernelspec.ts";
import {
  type CodeCell,
  isCode,
  isRunnable,
  type NotebookCell,
  type NotebookFile,
  tagsOf,
} from "../notebook.ts";
import { type CellError, cellErrors } from "./cell-error.ts";
import { type Execution, KernelClient } from "./client.ts";
import { OutputCollector, type Published } from "./collect-outputs.ts";
import type { KernelOptions } from "./kernel-process.ts";
import { createRunProgress, type EndedNode } from "./run-progress.ts";

export interface ExecuteOptions extends KernelOptions {
  /** Of each cell; none without. */
  readonly timeoutMs?: number;
  /** Interrupts the cell under way; the cells behind it are not run. */
  readonly signal: AbortSignal;
  /** Ends the kernel at once. */
  readonly kill: AbortSignal;
  /** Answers what cells ask. */
  readonly onQuestion?: (prompt: string) => string | undefined;
  readonly onCell: (cell: RanCell) => void;
  readonly onNode: (node: EndedNode) => void;
}

export interface RanCell {
  readonly id: string;
  /** Its place among the cells that are run, from 1. */
  readonly index: number;
  readonly count: number;
  readonly ms: number;
  /** As its reply says: errors that nobody waited for are shown in a cell too, and it has not failed by them. */
  readonly isOk: boolean;
  /** The error of a failed cell; with the tag `raises-exception` it does not fail the notebook. */
  readonly error?: CellError;
}

export interface ExecutedCell extends RanCell {
  /** Errors that nobody waited for, until the end of the notebook. */
  readonly strays: readonly CellError[];
}

export interface Executed {
  readonly notebook: NotebookFile;
  readonly cells: readonly ExecutedCell[];
  /** The cause that ended the notebook before its last cell. */
  readonly stopped?: "error" | "timeout" | "signal" | CommandError;
  /** The runs that nobody had awaited: they were paused with the kernel. */
  readonly paused: readonly RunUnderWay[];
}

/** The time in which a kernel says what it drives still. */
const ANSWER_MS = 5_000;
/** The time that a kernel has to interrupt its cell before it is ended, in milliseconds. */
const INTERRUPTING_MS = 10_000;

/** Starts a kernel, runs the notebook and ends the kernel. What was shown is in the returned notebook, however it ended. */
export async function executeNotebook(
  notebook: NotebookFile,
  options: ExecuteOptions,
): Promise<Executed> {
  const execution = new NotebookExecution(notebook, options);
  return await execution.run();
}

type CellEnd =
  | { readonly how: "ok" | "error"; readonly executionCount: number | null }
  | { readonly how: "timeout" | "signal"; readonly executionCount: null };

class NotebookExecution {
  readonly #notebook: NotebookFile;
  readonly #options: ExecuteOptions;
  readonly #outputs = new OutputCollector();
  readonly #cellOf = new Map<string, string>();
  readonly #counts = new Map<string, number | null>();
  readonly #ran: RanCell[] = [];
  readonly #asks = new KernelAsks();

  constructor(notebook: NotebookFile, options: ExecuteOptions) {
    this.#notebook = notebook;
    this.#options = options;
  }

  async run(): Promise<Executed> {
    const onEnded = createRunProgress(this.#options.onNode);
    const client = await KernelClient.start({
      ...this.#options,
      onPublished: (request, published) => {
        const cell = request === undefined ? undefined : this.#cellOf.get(request);
        if (cell !== undefined) this.#outputs.take(cell, published);
        onEnded(published);
        this.#asks.hear(published);
      },
    });
    try {
      const stopped = await this.#runCells(client);
      const paused = await this.#underWay(client);
      return { ...this.#executed(client, stopped), paused };
    } finally {
      await client.close();
    }
  }

  /** None of a kernel that is gone, or does not answer. */
  async #underWay(client: KernelClient): Promise<readonly RunUnderWay[]> {
    try {
      const gone = client.ended.then(() => []);
      const asked = this.#asks.ask(client, { ask: "under way" }, ANSWER_MS);
      return (await Promise.race([asked, gone])) as readonly RunUnderWay[];
    } catch {
      return [];
    }
  }

  async #runCells(client: KernelClient): Promise<Executed["stopped"]> {
    const cells = this.#notebook.cells.filter(isRunnable).filter(isWanted);
    for (const [at, cell] of cells.entries()) {
      if (this.#options.signal.aborted) return "signal";
      const place = { index: at + 1, count: cells.length };
      const stopped = await this.#runCell(client, cell, place).catch(kernelGone);
      if (stopped !== undefined) return stopped;
    }
    return undefined;
  }

  async #runCell(
    client: KernelClient,
    cell: CodeCell,
    place: Pick<RanCell, "index" | "count">,
  ): Promise<Executed["stopped"]> {
    const mayFail = tagsOf(cell).includes("raises-exception");
    const began = performance.now();
    const request = { code: cell.source, cellId: cell.id, stopOnError: !mayFail };
    const execution = client.execute(request);
    this.#cellOf.set(execution.id, cell.id);
    const { how, executionCount } = await this.#endOf(client, execution);
    this.#counts.set(cell.id, executionCount);
    const ms = performance.now() - began;
    const isOk = how === "ok";
    const error = isOk ? undefined : this.#errorsOf({ id: cell.id, ...place }).at(-1);
    const ran = { id: cell.id, ...place, ms, isOk, ...(error === undefined ? {} : { error }) };
    this.#ran.push(ran);
    this.#options.onCell(ran);
    if (isOk || (how === "error" && mayFail)) return undefined;
    return how;
  }

  /** Waits for the cell, and interrupts it when its time is over or a signal came. */
  async #endOf(client: KernelClient, { id, reply }: Execution): Promise<CellEnd> {
    const { signal, timeoutMs } = this.#options;
    const over = new AbortController();
    const ended = reply.then((content): CellEnd => {
      for (const page of pagesOf(content)) this.#outputs.take(this.#cellOf.get(id) ?? "", page);
      return toEnd(content);
    });
    const stops: Promise<"signal" | "timeout">[] = [until(signal, over.signal, "signal" as const)];
    if (timeoutMs !== undefined) stops.push(late(timeoutMs, over.signal, "timeout" as const));
    try {
      const first = await Promise.race([ended, ...stops]);
      if (typeof first === "object") return first;
      await interrupt(client, ended);
      return { how: first, executionCount: null };
    } finally {
      over.abort();
    }
  }

  #errorsOf({ id, index }: Pick<RanCell, "id" | "index">): readonly CellError[] {
    return cellErrors(this.#outputs.outputs(id), this.#counts.get(id) ?? index);
  }

  #executed(client: KernelClient, stopped: Executed["stopped"]): Omit<Executed, "paused"> {
    const notebook = {
      metadata: withKernel(this.#notebook.metadata, client.info),
      cells: this.#notebook.cells.map((cell) => this.#shown(cell)),
    };
    const cells = this.#ran.map((cell) => ({ ...cell, strays: this.#straysOf(cell) }));
    return { notebook, cells, ...(stopped === undefined ? {} : { stopped }) };
  }

  #straysOf(cell: RanCell): readonly CellError[] {
    return this.#errorsOf(cell).filter((one) => !isDeepStrictEqual(one, cell.error));
  }

  #shown(cell: NotebookCell): NotebookCell {
    if (!isCode(cell)) return cell;
    const outputs = this.#outputs.outputs(cell.id);
    return { ...cell, outputs, execution_count: this.#counts.get(cell.id) ?? null };
  }
}

function kernelGone(thrown: unknown): CommandError {
  if (thrown instanceof CommandError) return thrown;
  throw thrown;
}

function isWanted(cell: CodeCell): boolean {
  return !tagsOf(cell).includes("skip-execution");
}

/**
 * Returns the pages of a reply as outputs of the cell, as in JupyterLab: there is no pager here.
 */
function pagesOf({ payload }: Readonly<Record<string, unknown>>): readonly Published[] {
  if (!Array.isArray(payload)) return [];
  return payload
    .filter(({ source }) => source === "page")
    .map(({ data }) => ({ type: "display_data", content: { data, metadata: {} } }));
}

function toEnd({ status, execution_count }: Readonly<Record<string, unknown>>): CellEnd {
  const executionCount = typeof execution_count === "number" ? execution_count : null;
  return { how: status === "ok" ? "ok" : "error", executionCount };
}

/** A kernel that does not let go of its cell is ended. */
async function interrupt(client: KernelClient, ended: Promise<CellEnd>): Promise<void> {
  const over = new AbortController();
  const letGo = ended.then(
    () => "ended" as const,
    () => "ended" as const,
  );
  client.interrupt().catch(() => {}); // It tells by the cell's end.
  const first = await Promise.race([letGo, late(INTERRUPTING_MS, over.signal, "late" as const)]);
  over.abort();
  if (first === "late") client.kill();
}

/** Resolves with `word` after this time; never when it is over before. */
async function late<T>(ms: number, over: AbortSignal, word: T): Promise<T> {
  try {
    return await wait(ms, word, { signal: over });
  } catch {
    return await new Promise<never>(() => {});
  }
}

/** Resolves with `word` when `signal` is aborted. */
function until<T>(signal: AbortSignal, over: AbortSignal, word: T): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>();
  if (signal.aborted) resolve(word);
  else signal.addEventListener("abort", () => resolve(word), { once: true, signal: over });
  return promise;
}

function withKernel(
  metadata: NotebookFile["metadata"],
  { language_info }: Readonly<Record<string, unknown>>,
): NotebookFile["metadata"] {
  const kernelspec = { name: KERNEL_NAME, display_name: DISPLAY_NAME, language: LANGUAGE };
  return { kernelspec, ...metadata, ...(language_info === undefined ? {} : { language_info }) };
}
