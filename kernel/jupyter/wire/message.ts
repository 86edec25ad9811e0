/** Declares a wire message: what Jupyter's processes send each other, without its framing. */
import { randomUUID } from "node:crypto";

/** The protocol that the kernel speaks. */
export const PROTOCOL_VERSION = "5.5";

export interface Header {
  readonly msg_id: string;
  readonly msg_type: string;
  readonly session: string;
  readonly username: string;
  readonly date: string;
  readonly version: string;
  /** The subshell that a request is for; front ends write null where it is for none. */
  readonly subshell_id?: string | null;
}

/** Empty for what nobody asked for, such as the first status. */
export type ParentHeader = Header | Readonly<Record<string, never>>;

/** One JSON object of a message. */
export type Dict = Readonly<Record<string, unknown>>;

export interface WireMessage {
  /** The frames that a ROUTER puts in front, to be sent back with the reply; on iopub the topic. */
  readonly identities: readonly Uint8Array[];
  readonly header: Header;
  readonly parent: ParentHeader;
  readonly metadata: Dict;
  readonly content: Dict;
  readonly buffers: readonly Uint8Array[];
}

/** A header of a new message; `session` names the process that sends it. */
export function createHeader(
  type: string,
  { session, username = "kernel" }: { readonly session: string; readonly username?: string },
): Header {
  return {
    msg_id: randomUUID(),
    msg_type: type,
    session,
    username,
    date: new Date().toISOString(),
    version: PROTOCOL_VERSION,
  };
}

/** The `msg_id` of the request that a message belongs to; undefined where it belongs to none. */
export function parentId({ parent }: Pick<WireMessage, "parent">): string | undefined {
  return typeof parent.msg_id === "string" ? parent.msg_id : undefined;
}
