/** Keeps the kernel's shells: the main one, and the subshells that front ends make, each with a queue. */
import { randomUUID } from "node:crypto";
import { isRecord } from "../../is-record.ts";
import type { CellReply, RequestId } from "../link.ts";
import { unknownSubshell } from "../wire/failed-request.ts";
import type { Request } from "../wire/front-end.ts";
import {
  type Counter,
  type ExecuteParts,
  ExecuteQueue,
  type RunningCell,
} from "./execute-queue.ts";

/** A cell of one shell runs while those of others await; all are counted together, and declare in one scope. */
export class Shells {
  readonly #parts: ExecuteParts;
  readonly #counter: Counter = { count: 0 };
  readonly #main: ExecuteQueue;
  readonly #subshells = new Map<string, ExecuteQueue>();
  /** Deleted, with a cell under way. */
  readonly #ending = new Set<ExecuteQueue>();
  /** The last request of each cell whose client answers also when the cell runs again by itself. */
  readonly #answering = new Map<string, Request>();

  constructor(parts: Omit<ExecuteParts, "counter">) {
    this.#parts = { ...parts, counter: this.#counter };
    this.#main = new ExecuteQueue(this.#parts);
  }

  /** The cells that the main thread has. */
  get running(): readonly RunningCell[] {
    return this.#all().flatMap(({ running }) => (running === undefined ? [] : [running]));
  }

  /** The request by which a cell asks: of one under way, or of one that runs again. */
  asker(id: RequestId): Request | undefined {
    const running = this.running.find(({ cell }) => cell.id === id)?.request;
    return (
      running ?? [...this.#answering.values()].find(({ message }) => message.header.msg_id === id)
    );
  }

  /** True if any cell has run. */
  get hasBegun(): boolean {
    return this.#counter.count > 0 || this.running.length > 0;
  }

  /** Runs a cell in the shell that its header names; without a name in the main one. */
  add(request: Request): void {
    const { subshell_id } = request.message.header;
    const { cellId, madrigal } = request.message.metadata;
    if (typeof cellId === "string" && isRecord(madrigal) && madrigal.answers_reruns === true)
      this.#answering.set(cellId, request);
    const queue = typeof subshell_id === "string" ? this.#subshells.get(subshell_id) : this.#main;
    if (queue !== undefined) queue.add(request);
    else void this.#refuse(request, subshell_id); // What fails has become an error reply.
  }

  /** The main thread's word that a cell is over. */
  done(id: RequestId, reply: CellReply): void {
    for (const queue of this.#all()) queue.done(id, reply);
  }

  /** Creates a subshell and returns its id. */
  create(): string {
    const id = randomUUID();
    this.#subshells.set(id, new ExecuteQueue(this.#parts));
    return id;
  }

  /**
   * Deletes a subshell: its waiting cells are aborted, the running one ends by itself. Throws M7408
   * for an unknown id.
   */
  delete(id: unknown): void {
    const queue = typeof id === "string" ? this.#subshells.get(id) : undefined;
    if (typeof id !== "string" || queue === undefined) throw unknownSubshell(id);
    this.#subshells.delete(id);
    this.#ending.add(queue);
    void queue.close().then(() => this.#ending.delete(queue));
  }

  list(): readonly string[] {
    return [...this.#subshells.keys()];
  }

  /** Cells that wait now or come later are aborted; resolves when those under way are over. */
  async close(): Promise<void> {
    await Promise.all(this.#all().map((queue) => queue.close()));
  }

  async #refuse(request: Request, id: unknown): Promise<void> {
    await this.#parts.frontEnd.serve(request, () => {
      throw unknownSubshell(id);
    });
  }

  #all(): readonly ExecuteQueue[] {
    return [this.#main, ...this.#subshells.values(), ...this.#ending];
  }
}
