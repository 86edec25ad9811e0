/** Describes what travels between A2A agents, as JSON of the protocol's version 1.0, and reads values from parts. */
import { isRecord } from "../../../dsl/index.ts";

/** A piece of a message or an artifact: one of `text`, `data`, `raw` (base64) and `url`. */
export interface WirePart {
  readonly text?: string;
  readonly data?: unknown;
  readonly raw?: string;
  readonly url?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly filename?: string;
  readonly mediaType?: string;
}

export interface A2aMessage {
  readonly messageId: string;
  readonly contextId?: string;
  readonly taskId?: string;
  readonly role: "ROLE_USER" | "ROLE_AGENT";
  readonly parts: readonly WirePart[];
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly extensions?: readonly string[];
  readonly referenceTaskIds?: readonly string[];
}

export interface WireArtifact {
  readonly artifactId: string;
  readonly name?: string;
  readonly description?: string;
  readonly parts?: readonly WirePart[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface WireStatus {
  readonly state?: string;
  readonly message?: A2aMessage;
  readonly timestamp?: string;
}

export interface WireTask {
  readonly id: string;
  readonly contextId?: string;
  readonly status?: WireStatus;
  readonly artifacts?: readonly WireArtifact[];
  readonly history?: readonly A2aMessage[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** One event of a stream: exactly one member is there. */
export interface WireEvent {
  readonly task?: WireTask;
  readonly message?: A2aMessage;
  readonly statusUpdate?: {
    readonly taskId: string;
    readonly contextId?: string;
    readonly status?: WireStatus;
    readonly metadata?: Readonly<Record<string, unknown>>;
  };
  readonly artifactUpdate?: {
    readonly taskId: string;
    readonly contextId?: string;
    readonly artifact?: WireArtifact;
    readonly append?: boolean;
    readonly lastChunk?: boolean;
    readonly metadata?: Readonly<Record<string, unknown>>;
  };
}

/** The schemas of a graph's input and output, in the card of the agent that it is. */
export const SCHEMAS_EXTENSION = "urn:madrigal:a2a:schemas";

/** The key of a message's metadata with the schema of the answer that it asks for. */
export const QUESTION_KEY = "urn:madrigal:a2a:question";

/** The part that holds a value: a text as text, anything else as data. */
export function partFor(value: unknown): WirePart {
  return typeof value === "string"
    ? { text: value, mediaType: "text/plain" }
    : { data: value, mediaType: "application/json" };
}

/** The words of some parts: their texts, and their data as JSON. */
export function wordsOf(parts: readonly WirePart[] = []): string {
  return parts
    .flatMap(({ text, data, url }) => {
      if (text !== undefined) return [text];
      if (data !== undefined) return [JSON.stringify(data)];
      return url === undefined ? [] : [url];
    })
    .join("\n");
}

/** The data of some parts: one value as it is, several objects as one, else a list; undefined where there is none. */
export function dataOf(parts: readonly WirePart[]): unknown {
  const values = parts.flatMap(({ data }) => (data === undefined ? [] : [data]));
  if (values.length < 2) return values[0];
  return values.every(isRecord) ? Object.assign({}, ...values) : values;
}

/** The texts of some parts, one after the other; undefined where there is none. */
export function textOfParts(parts: readonly WirePart[]): string | undefined {
  const texts = parts.flatMap(({ text }) => (text === undefined ? [] : [text]));
  return texts.length === 0 ? undefined : texts.join("");
}
