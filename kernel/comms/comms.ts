/** Keeps the kernel's comms: the targets that front ends can open, and the comms that are open. */
import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { CommandError } from "../command-error.ts";
import type { CommPacket, RequestId } from "../jupyter/link.ts";
import type { JupyterLink } from "../jupyter/main/start.ts";
import {
  boundCaller,
  type CallHandler,
  type Comm,
  CommEnd,
  type CommMessage,
  type CommOptions,
} from "./comm.ts";

/** Takes a comm that a front end opened; `message` is what it said by that. */
export type CommTarget = (comm: Comm, message: CommMessage) => unknown;

export interface CommsParts {
  readonly link: Pick<JupyterLink, "comm" | "commTarget">;
  /** The request of the cell that this code belongs to. */
  readonly requestHere: () => RequestId | undefined;
  /** Calls a handler to its end, so that it can be interrupted; shows what it throws, and does not reject. */
  readonly call: (work: () => unknown) => Promise<void>;
}

export class Comms {
  readonly #parts: CommsParts;
  readonly #targets = new Map<string, (message: CommMessage, comm: Comm) => Promise<void>>();
  readonly #open = new Map<string, CommEnd>();
  /** The message that this code handles. */
  readonly #handled = new AsyncLocalStorage<RequestId>();

  constructor(parts: CommsParts) {
    this.#parts = parts;
  }

  /** Takes the comms that front ends open to `name`, instead of who did before; what it returns ends that. */
  target(name: string, take: CommTarget): () => void {
    const taker = boundCaller((message, comm: Comm) => take(comm, message), this.#call);
    this.#targets.set(name, taker);
    this.#parts.link.commTarget(name, true);
    return () => {
      if (this.#targets.get(name) !== taker) return;
      this.#targets.delete(name);
      this.#parts.link.commTarget(name, false);
    };
  }

  /** Opens a comm to what the front ends know by this name; one that does not know it closes the comm. */
  open(
    name: string,
    data?: unknown,
    { id = randomUUID(), ...options }: CommOptions & { readonly id?: string } = {},
  ): Comm {
    if (this.#open.has(id)) throw openAlready(id);
    const comm = this.#create(id, name);
    comm.open(data, options);
    return comm;
  }

  /** A front end's message; resolves when its handlers are done. */
  async receive(id: RequestId, packet: CommPacket): Promise<void> {
    const { commId, data, metadata, buffers } = packet;
    const message: CommMessage = { id, data, metadata, buffers };
    const comm = this.#open.get(commId);
    switch (packet.kind) {
      case "open":
        return await this.#opened(packet, message);
      case "message":
        return await comm?.receive(message);
      case "close":
        this.#open.delete(commId);
        return await comm?.receiveClose(message);
    }
  }

  async #opened({ commId, targetName }: Opening, message: CommMessage): Promise<void> {
    const take = this.#targets.get(targetName);
    const comm = this.#create(commId, targetName);
    // Else the target was taken back while this message was on its way.
    if (take === undefined) comm.close();
    else await take(message, comm);
  }

  #create(id: string, target: string): CommEnd {
    const comm: CommEnd = new CommEnd(
      { id, target },
      {
        send: (packet) => this.#parts.link.comm(packet, this.#requestHere()),
        call: this.#call,
        closed: () => {
          if (this.#open.get(id) === comm) this.#open.delete(id);
        },
      },
    );
    this.#open.set(id, comm);
    return comm;
  }

  readonly #call: CallHandler = ({ id }, work) =>
    this.#handled.run(id, () => this.#parts.call(work));

  /** Under whose header front ends hear what is sent from here. */
  #requestHere(): RequestId | undefined {
    return this.#handled.getStore() ?? this.#parts.requestHere();
  }
}

function openAlready(id: string): CommandError {
  return new CommandError("M7752", `a comm with the id \`${id}\` is open already`, {
    hint: "leave the id out to get a new one, or close the other comm first",
  });
}

type Opening = Extract<CommPacket, { kind: "open" }>;
