/**
 * Lists what answers each request, at once, whatever the main thread does. A comm's message is over when main is done
 * with it.
 */

import type { DebugAdapter } from "../debug/adapter.ts";
import type { Shells } from "../execution/shells.ts";
import type { SessionHistory } from "../history/history.ts";
import type { Connection } from "../wire/connection.ts";
import { unknownRequest } from "../wire/failed-request.ts";
import type { Answer, FrontEnd, Request } from "../wire/front-end.ts";
import type { Dict, WireMessage } from "../wire/message.ts";
import { isCommType, type WireComms } from "./comms.ts";
import { kernelInfo } from "./kernel-info.ts";
import { complete, inspect, isComplete } from "./language.ts";
import type { TypePort } from "./type-client.ts";
import { createUsage } from "./usage.ts";

export interface RequestParts {
  readonly connection: Connection;
  readonly frontEnd: FrontEnd;
  readonly history: SessionHistory;
  readonly types: TypePort;
  readonly comms: WireComms;
  readonly shells: Shells;
  readonly debugAdapter: DebugAdapter;
  /** Begins to stop the cell under way. */
  readonly interrupt: () => void;
  /** Begins the end of the kernel, once the reply is out. */
  readonly shutdown: () => void;
}

type RequestHandler = (content: Dict, message: WireMessage) => Answer | Promise<Answer>;

/** Answers everything but `execute_request`. */
export function createRequests(parts: RequestParts): (request: Request) => Promise<void> {
  const handlers = handlersOf(parts);
  return async (request) => {
    const { message } = request;
    const type = message.header.msg_type;
    if (isCommType(type)) return await parts.comms.receive(request);
    await parts.frontEnd.serve(request, () => {
      const handler = Object.hasOwn(handlers, type) ? handlers[type] : undefined;
      if (handler !== undefined) return handler(message.content, message);
      if (type.endsWith("_request")) throw unknownRequest(type);
      return undefined;
    });
    if (type === "shutdown_request") parts.shutdown();
  };
}

function handlersOf(parts: RequestParts): Readonly<Record<string, RequestHandler>> {
  const { history, types, frontEnd, connection, comms, shells } = parts;
  const info = kernelInfo();
  const usage = createUsage();
  return {
    kernel_info_request: () => info,
    connect_request: () => ({ status: "ok", ...portsContent(connection) }),
    usage_request: usage,
    debug_request: (content) => parts.debugAdapter.answer(content),
    history_request: (content) => history.answer(content),
    complete_request: (content) => complete(types, content),
    inspect_request: (content) => inspect(types, content),
    is_complete_request: (content) => isComplete(types, content),
    comm_info_request: (content) => comms.info(content),
    create_subshell_request: () => ({ status: "ok", subshell_id: shells.create() }),
    delete_subshell_request: ({ subshell_id }) => {
      shells.delete(subshell_id);
      return { status: "ok" };
    },
    list_subshell_request: () => ({ status: "ok", subshell_id: shells.list() }),
    interrupt_request: () => {
      parts.interrupt();
      return { status: "ok" };
    },
    shutdown_request: ({ restart = false }, { header }) => {
      const content = { status: "ok", restart };
      // On iopub too, for the other clients of this kernel.
      frontEnd.publish("shutdown_reply", content, header);
      return content;
    },
  };
}

function portsContent({ ports }: Connection): Dict {
  return Object.fromEntries(
    Object.entries(ports).map(([channel, port]) => [`${channel}_port`, port]),
  );
}
