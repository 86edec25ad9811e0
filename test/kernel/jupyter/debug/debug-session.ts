/** A debugger as JupyterLab drives it: requests on control, events on iopub. */
import type { Dict, WireMessage } from "../../../../kernel/jupyter/wire/message.ts";
import type { JupyterClient } from "../../../support/jupyter-client.ts";

export interface DebugSession {
  /** The body of the answer; one that says no is thrown with its message. */
  ask(command: string, given?: unknown): Promise<Dict>;
  /** The whole answer to whatever is sent. */
  answer(content: Dict): Promise<Dict>;
  /** The body of the next event of this name that nobody has taken. */
  event(name: string): Promise<Dict>;
  /** Takes all events so far. */
  forget(): void;
}

export function debugSession(client: JupyterClient): DebugSession {
  const taken = new Set<WireMessage>();
  let seq = 0;
  const isNew = (message: WireMessage) =>
    message.header.msg_type === "debug_event" && !taken.has(message);
  const answer = async (content: Dict) => {
    const id = client.send("debug_request", content, { channel: "control" });
    return (await client.reply(id)).content;
  };
  return {
    answer,
    async ask(command, given = {}) {
      seq += 1;
      const request = { type: "request", seq, command, arguments: given };
      const { success, message, body } = await answer(request);
      if (success !== true) throw new Error(String(message));
      return body as Dict;
    },
    async event(name) {
      const message = await client.iopub((one) => isNew(one) && one.content.event === name);
      taken.add(message);
      return message.content.body as Dict;
    },
    forget() {
      for (const message of client.heard.filter(isNew)) taken.add(message);
    },
  };
}
