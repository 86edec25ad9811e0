/** Describes how a provider's protocol says an answer and how it is asked, for servers that tests write. */

/** An answer of a model, whatever the protocol that says it. */
export interface ProtocolAnswer {
  /** Reasoning, and what its provider signs it with. */
  readonly reasoning?: { readonly text: string; readonly signature: string };
  /** Reasoning that only its provider can read. */
  readonly hidden?: string;
  readonly text?: string;
  readonly calls?: readonly {
    readonly id: string;
    readonly name: string;
    readonly input: unknown;
    /** Of the Responses API: the group that the tool is in. */
    readonly namespace?: string;
  }[];
  readonly finish?: "length" | "content-filter";
  readonly usage?: { readonly input: number; readonly cached: number; readonly output: number };
}

/** A request as far as the contract looks at it. */
export interface ProtocolRequest {
  readonly model: string;
  readonly texts: readonly string[];
  /** Base64. */
  readonly images: readonly string[];
  readonly tools: readonly string[];
  readonly calls: readonly { readonly name: string; readonly input: unknown }[];
  readonly results: readonly string[];
  /** The data that a provider gets back as it gave it, in order. */
  readonly signed: readonly string[];
  readonly schema?: unknown;
}

/** One protocol, as a server speaks it and as a program names it. */
export interface Protocol {
  readonly name: string;
  /** An id that goes through it, without the model's own name. */
  readonly provider: string;
  /** A model with reasoning. */
  readonly model: string;
  /** The environment that leads to a server at `url`. */
  readonly env: (url: string, key: string) => Readonly<Record<string, string>>;
  /** Its answers sign reasoning. */
  readonly signs: boolean;
  /** It has a reason of its own for an answer that a filter stopped. */
  readonly filters: boolean;
  readonly contentType: string;
  /** The stream of an answer, in the pieces that it is sent in. */
  readonly frames: (answer: ProtocolAnswer, model: string) => readonly (string | Uint8Array)[];
  readonly error: (status: number, message: string) => unknown;
  readonly read: (path: string, body: never) => ProtocolRequest;
}

/** A line of a stream of events, with the event's name where the protocol has names. */
export function sseFrame(data: unknown, event?: string): string {
  const name = event === undefined ? "" : `event: ${event}\n`;
  return `${name}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
}

/** A text in pieces of 12 characters. */
export function piecesOf(text: string): readonly string[] {
  return text.match(/[\s\S]{1,12}/g) ?? [];
}

/** The tokens of an answer that says nothing of them. */
export const USAGE = { input: 100, cached: 40, output: 10 };
