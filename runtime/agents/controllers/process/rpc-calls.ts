/** Makes calls of JSON-RPC over lines, and finds the call that an answer belongs to. */
import { isRecord } from "../../../../dsl/index.ts";
import type { ControllerEvent } from "../../operator/controller.ts";

/** A message of JSON-RPC. */
export type RpcMessage = Readonly<Record<string, unknown>>;

/** Takes the result of a call, and gives the events that its line means. */
type TakeResult = (result: RpcMessage) => readonly ControllerEvent[];

/** The connection that calls are made over. */
interface RpcConnection {
  readonly send: (message: RpcMessage) => void;
  /** The events of a call that the other side refused, by what it says. */
  readonly refused: (message: string) => readonly ControllerEvent[];
}

export class RpcCalls {
  readonly #connection: RpcConnection;
  readonly #open = new Map<number, TakeResult>();
  /** Calls whose refusal changes nothing. */
  readonly #light = new Set<number>();
  #made = 0;

  constructor(connection: RpcConnection) {
    this.#connection = connection;
  }

  /** Makes a call that the turn depends on. */
  call(method: string, params: RpcMessage, answered: TakeResult): void {
    this.#made += 1;
    this.#open.set(this.#made, answered);
    this.#connection.send({ id: this.#made, method, params });
  }

  /** Makes a call that may be refused. */
  tell(method: string, params: RpcMessage): void {
    this.call(method, params, () => []);
    this.#light.add(this.#made);
  }

  /** Returns the events of an answer to a call of ours; undefined for any other message. */
  settle({ id, method, result, error }: RpcMessage): readonly ControllerEvent[] | undefined {
    if (method !== undefined || typeof id !== "number") return undefined;
    const answered = this.#open.get(id);
    this.#open.delete(id);
    if (error === undefined) return answered?.(isRecord(result) ? result : {}) ?? [];
    if (this.#light.has(id)) return [];
    return this.#connection.refused(isRecord(error) ? errorText(error) : String(error));
  }
}

/** Some say only beside the message what went wrong. */
function errorText({ message, data }: RpcMessage): string {
  const details = isRecord(data) && typeof data.details === "string" ? `: ${data.details}` : "";
  return `${String(message)}${details}`;
}
