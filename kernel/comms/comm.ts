/** Represents one comm: a line between code of a cell and code of a front end. */
import { AsyncLocalStorage } from "node:async_hooks";
import { CommandError } from "../command-error.ts";
import type { CommPacket } from "../jupyter/link.ts";

/** A message of a comm. */
export interface CommMessage {
  /** Of the wire message, which what its handlers send names as their reason. */
  readonly id: string;
  /** JSON. */
  readonly data: unknown;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly buffers: readonly Uint8Array[];
}

/** The metadata and buffers of a comm message. */
export interface CommOptions {
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Bytes beside the data: copied when they are sent. */
  readonly buffers?: readonly (ArrayBuffer | ArrayBufferView)[];
}

/**
 * Handles a message. Its output and errors belong to the cell that registered it; a returned
 * promise is awaited.
 */
export type CommHandler = (message: CommMessage) => unknown;

export interface Comm {
  readonly id: string;
  /** The name by which the other end knows what it is for. */
  readonly target: string;
  readonly isOpen: boolean;
  /** Throws M7409 for data that is no JSON, and M7410 when the comm is closed. */
  send(data: unknown, options?: CommOptions): void;
  /** Calls `handler` with each message, also those that came before anybody listened; what it returns ends that. */
  onMessage(handler: CommHandler): () => void;
  /** Calls `handler` when the other end closes, or the kernel finds none there. */
  onClose(handler: CommHandler): () => void;
  /** A second time does nothing. */
  close(data?: unknown, options?: CommOptions): void;
}

/** The functions that a comm needs from its owner. */
export interface CommEndParts {
  readonly send: (packet: CommPacket) => void;
  readonly call: CallHandler;
  /** This end has closed. */
  readonly closed: () => void;
}

/** Calls a handler of this message to its end; does not reject. */
export type CallHandler = (message: CommMessage, work: () => unknown) => Promise<void>;

type CommCaller = (message: CommMessage) => Promise<void>;

// A comm without a listener must not fill the memory.
const EARLY_MAX = 1000;

/** The kernel's end of a comm. */
export class CommEnd implements Comm {
  readonly id: string;
  readonly target: string;
  readonly #parts: CommEndParts;
  readonly #onMessage = new Set<CommCaller>();
  readonly #onClose = new Set<CommCaller>();
  readonly #early: CommMessage[] = [];
  #isOpen = true;

  constructor({ id, target }: Pick<Comm, "id" | "target">, parts: CommEndParts) {
    this.id = id;
    this.target = target;
    this.#parts = parts;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Tells the other end that there is a comm. */
  open(data: unknown, options: CommOptions): void {
    const { id, target } = this;
    this.#parts.send({ kind: "open", targetName: target, ...loadOf({ id, data, options }) });
  }

  send(data: unknown, options: CommOptions = {}): void {
    if (!this.#isOpen) throw closedComm(this);
    this.#parts.send({ kind: "message", ...loadOf({ id: this.id, data, options }) });
  }

  close(data: unknown = {}, options: CommOptions = {}): void {
    if (!this.#isOpen) return;
    this.#parts.send({ kind: "close", ...loadOf({ id: this.id, data, options }) });
    this.#isOpen = false;
    this.#parts.closed();
  }

  onMessage(handler: CommHandler): () => void {
    const remove = this.#add(this.#onMessage, handler);
    for (const message of this.#early.splice(0)) void this.receive(message); // Does not reject.
    return remove;
  }

  onClose(handler: CommHandler): () => void {
    return this.#add(this.#onClose, handler);
  }

  /** A message of the other end; resolves when its handlers are done. */
  async receive(message: CommMessage): Promise<void> {
    if (this.#onMessage.size > 0) return await callAll(this.#onMessage, message);
    this.#early.push(message);
    if (this.#early.length > EARLY_MAX) this.#early.shift();
  }

  /** The other end has closed. */
  async receiveClose(message: CommMessage): Promise<void> {
    this.#isOpen = false;
    await callAll(this.#onClose, message);
  }

  #add(callers: Set<CommCaller>, handler: CommHandler): () => void {
    const caller = boundCaller(handler, this.#parts.call);
    callers.add(caller);
    return () => void callers.delete(caller);
  }
}

/** Calls `handler` as if from here, so that what it shows stands in the cell that runs now. */
export function boundCaller<Rest extends readonly unknown[]>(
  handler: (message: CommMessage, ...rest: Rest) => unknown,
  call: CallHandler,
): (message: CommMessage, ...rest: Rest) => Promise<void> {
  const inContext = AsyncLocalStorage.snapshot();
  return (message, ...rest) => inContext(() => call(message, () => handler(message, ...rest)));
}

async function callAll(callers: ReadonlySet<CommCaller>, message: CommMessage): Promise<void> {
  await Promise.all([...callers].map((caller) => caller(message)));
}

interface Load {
  readonly id: string;
  readonly data: unknown;
  readonly options: CommOptions;
}

function loadOf({ id, data, options: { metadata = {}, buffers = [] } }: Load) {
  return {
    commId: id,
    data: asJson(data),
    metadata: asJson(metadata) as Readonly<Record<string, unknown>>,
    buffers: buffers.map(copyOf),
  };
}

/** Returns a copy of a value as JSON, so that later changes do not change the message. */
function asJson(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value ?? {}));
  } catch (cause) {
    throw noJson(cause);
  }
}

function noJson(cause: unknown): CommandError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new CommandError("M7409", `a comm carries JSON, and this is none: ${why}`, {
    hint: "send numbers, strings, arrays and plain objects, and bytes as `buffers`",
    cause,
  });
}

function copyOf(bytes: ArrayBuffer | ArrayBufferView): Uint8Array<ArrayBuffer> {
  if (!ArrayBuffer.isView(bytes)) return new Uint8Array(bytes.slice(0));
  return new Uint8Array(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

function closedComm({ target }: Comm): CommandError {
  return new CommandError("M7410", `the comm to \`${target}\` is closed`, {
    hint: "open another by `comm.open`; `onClose` tells when the other end closes",
  });
}
