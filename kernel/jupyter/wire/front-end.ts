/** Sends replies to one front end, and messages on iopub to all. */
import { randomUUID } from "node:crypto";
import type { Channels } from "./channels.ts";
import { errorContent } from "./failed-request.ts";
import { createHeader, type Dict, type ParentHeader, type WireMessage } from "./message.ts";

export interface Request {
  readonly channel: "shell" | "control";
  readonly message: WireMessage;
}

export type ExecutionState = "starting" | "busy" | "idle";

export class FrontEnd {
  readonly #channels: Channels;
  readonly #session = randomUUID();
  /** Requests that the main thread works on: cells, and messages of comms. */
  #underWay = 0;

  constructor(channels: Channels) {
    this.#channels = channels;
  }

  /** To all. Throws when the content can't be written as JSON. */
  publish(
    type: string,
    content: Dict,
    parent: ParentHeader,
    { metadata = {}, buffers = [] }: Partial<Pick<WireMessage, "metadata" | "buffers">> = {},
  ): void {
    const header = createHeader(type, { session: this.#session });
    const identities = [Buffer.from(`kernel.${this.#session}.${type}`)];
    this.#channels.publish({ identities, header, parent, metadata, content, buffers });
  }

  /** To a new subscriber, under its own topic, so that it surely gets this. */
  welcome(topic: Uint8Array): void {
    const header = createHeader("iopub_welcome", { session: this.#session });
    const content = { subscription: Buffer.from(topic).toString() };
    const message = { header, parent: {}, metadata: {}, content, buffers: [] };
    this.#channels.publish({ identities: [topic], ...message });
  }

  status(state: ExecutionState, parent: ParentHeader): void {
    this.publish("status", { execution_state: state }, parent);
  }

  /** The reply to a request, on the channel it came by. */
  reply({ channel, message }: Request, content: Dict, metadata: Dict = {}): void {
    const type = message.header.msg_type.replace(/_request$/, "_reply");
    const answer = {
      identities: message.identities,
      header: createHeader(type, { session: this.#session }),
      parent: message.header,
      metadata,
      buffers: [],
    };
    this.#send(channel, { ...answer, content });
  }

  /** To one client on stdin, by its identity on shell. False when it is not there. */
  ask(
    { message }: Request,
    content: Dict,
    metadata: Dict = {},
  ): { readonly id: string; readonly sent: Promise<boolean> } {
    const header = createHeader("input_request", { session: this.#session });
    const { identities, header: parent } = message;
    const question = { identities, header, parent, metadata, content, buffers: [] };
    return { id: header.msg_id, sent: this.#channels.send("stdin", question) };
  }

  /** Says `busy`, answers unless there is nothing to say, says `idle`. What fails becomes an error reply. */
  async serve(request: Request, answer: () => Answer | Promise<Answer>): Promise<void> {
    const parent = request.message.header;
    this.status("busy", parent);
    const content = await contentOf(answer);
    if (content !== undefined) this.reply(request, content);
    this.status("idle", parent);
    this.#remindOfWork();
  }

  /** The main thread works on this request; until `workEnds`, the answer to another one does not make the kernel look idle. */
  workBegins({ message }: Request): void {
    this.#underWay += 1;
    this.status("busy", message.header);
  }

  workEnds({ message }: Request, metadata: Dict = {}): void {
    this.#underWay -= 1;
    this.publish("status", { execution_state: "idle" }, message.header, { metadata });
    this.#remindOfWork();
  }

  /** Front ends show the last status, whoever it was for; no parent, as they follow those of a cell. */
  #remindOfWork(): void {
    if (this.#underWay > 0) this.status("busy", {});
  }

  #send(channel: Request["channel"], message: WireMessage): void {
    try {
      void this.#channels.send(channel, message); // A client that is gone needs no reply.
    } catch (thrown) {
      void this.#channels.send(channel, { ...message, content: errorContent(thrown) });
    }
  }
}

/** The content of a reply; undefined for what is not replied to. */
export type Answer = Dict | undefined;

async function contentOf(answer: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await answer();
  } catch (thrown) {
    return errorContent(thrown);
  }
}
