/** Keeps the open comms in worker 1 and passes their messages on. */

import { AGENT_TARGET } from "../../agent-access/asks.ts";
import type { Outputs } from "../execution/outputs.ts";
import type { CommPacket, RequestId, ToMain } from "../link.ts";
import { wrongContent } from "../wire/failed-request.ts";
import type { FrontEnd, Request } from "../wire/front-end.ts";
import type { Dict, Header, ParentHeader, WireMessage } from "../wire/message.ts";

export interface WireCommsParts {
  readonly frontEnd: FrontEnd;
  readonly outputs: Pick<Outputs, "show" | "flush" | "heardOf" | "parentOf">;
  readonly tell: (message: ToMain) => void;
}

const KINDS = { comm_open: "open", comm_msg: "message", comm_close: "close" } as const;
type CommType = keyof typeof KINDS;
const TYPES = { open: "comm_open", message: "comm_msg", close: "comm_close" } as const;

export function isCommType(type: string): type is CommType {
  return Object.hasOwn(KINDS, type);
}

/** A message that main has. */
interface Handled {
  readonly parent: Header;
  readonly done: PromiseWithResolvers<undefined>;
}

export class WireComms {
  readonly #parts: WireCommsParts;
  /** Pages with widgets ask for theirs before main has loaded, and only once; clients of a kernel ask as soon as it answers. */
  readonly #targets = new Set(["jupyter.widget.control", AGENT_TARGET]);
  /** The target of each open comm, by the comm's id. */
  readonly #open = new Map<string, string>();
  readonly #handled = new Map<RequestId, Handled>();

  constructor(parts: WireCommsParts) {
    this.#parts = parts;
  }

  /** The content of a `comm_info_reply`. */
  info({ target_name }: Dict): Dict {
    const asked = [...this.#open].filter(
      ([, target]) => typeof target_name !== "string" || target === target_name,
    );
    const comms = Object.fromEntries(asked.map(([id, target]) => [id, { target_name: target }]));
    return { status: "ok", comms };
  }

  /** A front end's message: `busy`, what main does with it, `idle`. Comms have no replies. */
  async receive(request: Request): Promise<void> {
    const { frontEnd } = this.#parts;
    frontEnd.workBegins(request);
    await this.#passOn(request.message);
    frontEnd.workEnds(request);
  }

  /** The main thread's word that it is done with a message. */
  handled(id: RequestId): void {
    this.#handled.get(id)?.done.resolve(undefined);
  }

  /** Sets whether comms to this target are accepted. */
  target(name: string, isKnown: boolean): void {
    if (isKnown) this.#targets.add(name);
    else this.#targets.delete(name);
  }

  /** Tells all front ends what the main thread says by a comm. */
  publish(packet: CommPacket, id: RequestId | undefined): void {
    if (packet.kind === "open") this.#open.set(packet.commId, packet.targetName);
    if (packet.kind === "close") this.#open.delete(packet.commId);
    const { frontEnd, outputs } = this.#parts;
    outputs.flush(); // What was printed before it comes before it.
    const { commId, data, metadata, buffers } = packet;
    const target = packet.kind === "open" ? { target_name: packet.targetName } : {};
    const content = { comm_id: commId, ...target, data };
    frontEnd.publish(TYPES[packet.kind], content, this.#parentOf(id), { metadata, buffers });
  }

  async #passOn(message: WireMessage): Promise<void> {
    const { header } = message;
    try {
      const packet = toPacket(message);
      if (!this.#isTaken(packet)) return this.#refuse(packet, header);
      const done = Promise.withResolvers<undefined>();
      this.#handled.set(header.msg_id, { parent: header, done });
      this.#parts.tell({ kind: "comm", id: header.msg_id, packet });
      await done.promise;
      this.#parts.outputs.flush();
    } catch (thrown) {
      const text = `madrigal: ${thrown instanceof Error ? thrown.message : thrown}\n`;
      this.#parts.frontEnd.publish("stream", { name: "stderr", text }, header);
    } finally {
      this.#handled.delete(header.msg_id);
    }
  }

  /**
   * Returns whether the main thread is to get the packet, and updates the table of open comms.
   * Throws M7407 for an id that is open: two comms would be one.
   */
  #isTaken(packet: CommPacket): boolean {
    const { commId } = packet;
    switch (packet.kind) {
      case "open":
        // Not answered by `comm_close`: that would close the comm that is there.
        if (this.#open.has(commId)) throw wrongContent("comm_open", openAlready(commId));
        if (!this.#targets.has(packet.targetName)) return false;
        this.#open.set(packet.commId, packet.targetName);
        return true;
      case "message":
        return this.#open.has(packet.commId);
      case "close":
        return this.#open.delete(packet.commId);
    }
  }

  /** Closes a comm whose target has nobody at this end. */
  #refuse({ kind, commId }: CommPacket, parent: Header): void {
    if (kind === "close") return; // Both ends know.
    this.#parts.frontEnd.publish("comm_close", { comm_id: commId, data: {} }, parent);
  }

  /** The message that main handles; else as for an update of a display: some clients listen to the cell under way alone. */
  #parentOf(id: RequestId | undefined): ParentHeader {
    if (id === undefined) return {};
    const { outputs } = this.#parts;
    return this.#handled.get(id)?.parent ?? outputs.parentOf(outputs.heardOf(id));
  }
}

/** Throws M7407 when something is missing. */
function toPacket({ header: { msg_type }, content, metadata, buffers }: WireMessage): CommPacket {
  const { comm_id: commId, target_name: targetName, data = {} } = content;
  if (typeof commId !== "string") throw wrongContent(msg_type, "has no `comm_id`");
  // A copy: what ZeroMQ gives lies in memory that it keeps for more than this message, and can't be handed on.
  const load = { commId, data, metadata, buffers: buffers.map((bytes) => new Uint8Array(bytes)) };
  if (msg_type !== "comm_open") return { kind: isClose(msg_type) ? "close" : "message", ...load };
  if (typeof targetName !== "string") throw wrongContent(msg_type, "has no `target_name`");
  return { kind: "open", targetName, ...load };
}

function openAlready(commId: string): string {
  return `names the comm \`${commId}\`, which is open already and stays as it is`;
}

function isClose(type: string): boolean {
  return type === "comm_close";
}
