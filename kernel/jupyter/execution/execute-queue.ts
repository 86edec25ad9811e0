/** Runs the cells that front ends send to one subshell, one after the other, each between its `busy` and its `idle`. */
import type { Bundle } from "../../cell-output.ts";
import type { SessionHistory } from "../history/history.ts";
import type { CellReply, CellRequest, RequestId } from "../link.ts";
import { errorContent, wrongContent } from "../wire/failed-request.ts";
import type { FrontEnd, Request } from "../wire/front-end.ts";
import type { Dict } from "../wire/message.ts";
import type { Outputs } from "./outputs.ts";

/** The number of cells counted in all subshells. */
export interface Counter {
  count: number;
}

export interface ExecuteParts {
  readonly counter: Counter;
  readonly frontEnd: FrontEnd;
  readonly outputs: Outputs;
  readonly history: SessionHistory;
  /** Gives a cell to the main thread. */
  readonly execute: (request: CellRequest) => void;
  /** Resolves once all that had arrived is in the queue. */
  readonly settled: () => Promise<void>;
  /** The cell is over; nothing is to be asked or interrupted any more. */
  readonly ended: (id: RequestId) => void;
}

/** A cell that the main thread has, with the request that brought it. */
export interface RunningCell {
  readonly cell: CellRequest;
  readonly request: Request;
}

interface CellUnderWay extends RunningCell {
  readonly done: PromiseWithResolvers<CellReply>;
}

export class ExecuteQueue {
  readonly #parts: ExecuteParts;
  #waiting: Request[] = [];
  #running: CellUnderWay | undefined;
  #work: Promise<void> | undefined;
  #closed = false;

  constructor(parts: ExecuteParts) {
    this.#parts = parts;
  }

  get running(): RunningCell | undefined {
    return this.#running;
  }

  add(request: Request): void {
    this.#waiting.push(request);
    this.#work ??= this.#serveAll();
  }

  /** The main thread's word that a cell is over. */
  done(id: RequestId, reply: CellReply): void {
    if (this.#running?.cell.id === id) this.#running.done.resolve(reply);
  }

  /** Cells that wait now or come later are aborted; resolves when the one under way is over. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#abort(this.#waiting.splice(0));
    await this.#work;
  }

  async #serveAll(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      if (this.#closed) this.#abort([next]);
      else await this.#serve(next);
    }
    this.#work = undefined;
  }

  async #serve(request: Request): Promise<void> {
    const { frontEnd } = this.#parts;
    const started = new Date().toISOString();
    frontEnd.workBegins(request);
    const { content, isFatal, spent } = await this.#run(request);
    // Taken before the reply is sent: what a client sends after it is run, what was there when the cell failed is not.
    const aborted = isFatal ? await this.#takeWaiting() : [];
    frontEnd.reply(request, content, { started, status: content.status });
    // Our extension of JupyterLab writes it below the cell.
    const { cellId } = request.message.metadata;
    frontEnd.workEnds(request, spent === undefined ? {} : { cellId, madrigal: { spent } });
    this.#abort(aborted);
  }

  async #run(request: Request): Promise<EndedRequest> {
    const { outputs, ended } = this.#parts;
    try {
      const cell = this.#begin(request);
      const reply = await this.#execute(cell, request);
      outputs.flush();
      const { isErrorShown, pages } = outputs.end(cell.id);
      ended(cell.id);
      if (reply.status === "error" && !isErrorShown) outputs.show(cell.id, reply.error);
      const isStopping = request.message.content.stop_on_error !== false && !cell.silent;
      return {
        content: replyContent(reply, { executionCount: cell.executionCount, pages }),
        isFatal: reply.status === "error" && isStopping,
        ...(reply.spent !== undefined && !cell.silent && { spent: reply.spent }),
      };
    } catch (thrown) {
      return { content: errorContent(thrown), isFatal: false };
    }
  }

  #begin(request: Request): CellRequest {
    const { outputs, history, frontEnd, counter } = this.#parts;
    const cell = toCell(request, counter.count);
    const parent = request.message.header;
    const { id, executionCount, silent, code, cellId } = cell;
    counter.count = executionCount;
    if (cell.storeHistory) history.add(executionCount, code);
    const resulted = (text: string) => history.setOutput(executionCount, text);
    outputs.flush();
    outputs.begin({
      ...{ id, parent, executionCount, silent },
      ...(cellId !== undefined && { cellId }),
      ...(cell.storeHistory && { resulted }),
    });
    if (!silent) {
      const metadata = cellId === undefined ? {} : { cellId };
      const content = { code, execution_count: executionCount };
      frontEnd.publish("execute_input", content, parent, { metadata });
    }
    return cell;
  }

  async #execute(cell: CellRequest, request: Request): Promise<CellReply> {
    const done = Promise.withResolvers<CellReply>();
    this.#running = { cell, request, done };
    this.#parts.execute(cell);
    try {
      return await done.promise;
    } finally {
      this.#running = undefined;
    }
  }

  async #takeWaiting(): Promise<readonly Request[]> {
    await this.#parts.settled();
    return this.#waiting.splice(0);
  }

  #abort(requests: readonly Request[]): void {
    const { frontEnd, counter } = this.#parts;
    for (const request of requests) {
      const started = new Date().toISOString();
      frontEnd.workBegins(request);
      const content = { status: "aborted", execution_count: counter.count };
      frontEnd.reply(request, content, { started, status: "aborted" });
      frontEnd.workEnds(request);
    }
  }
}

/** A request's content as a cell; `count` is that of the cell before. */
function toCell({ message: { header, content, metadata } }: Request, count: number): CellRequest {
  const { code, silent, store_history, allow_stdin, user_expressions } = content;
  if (typeof code !== "string") throw wrongContent(header.msg_type, "has no `code`");
  const { cellId, deletedCells } = metadata;
  const isSilent = silent === true;
  const storeHistory = store_history !== false && !isSilent;
  return {
    id: header.msg_id,
    code,
    executionCount: storeHistory ? count + 1 : count,
    silent: isSilent,
    storeHistory,
    allowStdin: allow_stdin === true,
    userExpressions: expressionsOf(user_expressions),
    ...(typeof cellId === "string" && { cellId }),
    ...(Array.isArray(deletedCells) && {
      deletedCells: deletedCells.filter((id) => typeof id === "string"),
    }),
  };
}

function expressionsOf(value: unknown): Record<string, string> {
  if (typeof value !== "object" || value === null) return {};
  const entries = Object.entries(value).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(entries);
}

interface EndedRequest {
  readonly content: Dict;
  readonly isFatal: boolean;
  readonly spent?: string;
}

interface EndedCell {
  readonly executionCount: number;
  readonly pages: readonly Bundle[];
}

function replyContent(reply: CellReply, { executionCount, pages }: EndedCell): Dict {
  const payload = pages.map(({ data }) => ({ source: "page", data, start: 0 }));
  const shared = { execution_count: executionCount, payload };
  if (reply.status === "ok") {
    return { status: "ok", ...shared, user_expressions: reply.userExpressions };
  }
  const { ename, evalue, traceback } = reply.error;
  return { status: "error", ename, evalue, traceback, ...shared, user_expressions: {} };
}
