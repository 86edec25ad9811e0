/** Declares what an operation of the server is: its address, who may ask for it, what it takes and what it gives. */
import type { ServerResponse } from "node:http";
import type { JsonSchema } from "../../dsl/index.ts";
import type { DrivenRun, GivenFile, Session } from "../../runtime/index.ts";
import { HttpFault } from "./http-fault.ts";
import type { Right, Role } from "./roles.ts";
import type { RunHost } from "./run-host.ts";
import type { EventStreams } from "./stream-events.ts";

export interface Operation {
  /** Its name in the description of the server. */
  readonly id: string;
  readonly method: "GET" | "POST" | "DELETE";
  /** `/runs/{run}` */
  readonly path: string;
  readonly right: Right;
  readonly summary: string;
  readonly query?: Readonly<Record<string, JsonSchema>>;
  readonly body?: JsonSchema;
  /** The same as the description has it, where that knows more of it. */
  readonly shownBody?: JsonSchema;
  /** Set if the body is a form with files (multipart/form-data); `body` is the schema of its other fields. */
  readonly takesFiles?: true;
  /** Set if `Idempotency-Key` makes a repeated request the same one. */
  readonly takesKey?: true;
  /** The schema of the JSON that it gives, or the media type of something else. */
  readonly gives: JsonSchema | string;
  /** A result that is not a `Response` is sent as JSON; there is none where the operation has answered by itself. */
  perform(call: OperationCall): unknown;
}

/** The parts of the server that operations use. */
export interface OperationParts {
  readonly host: RunHost;
  readonly session: Session;
  readonly streams: EventStreams;
}

export interface OperationCall extends OperationParts {
  /** The parts of the path, by the names in its braces. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
  /** The files of a form. */
  readonly files: readonly GivenFile[];
  readonly key: string | undefined;
  /** The role of who asks. */
  readonly role: Role;
  readonly request: Request;
  readonly outgoing: ServerResponse;
}

/** The run that the path names. Throws 404. */
export function runIn({ host, params }: Pick<OperationCall, "host" | "params">): DrivenRun {
  const { run: id = "" } = params;
  const run = host.open(id);
  if (run !== undefined) return run;
  throw new HttpFault(404, "M5107", `there is no run \`${id.slice(0, 100)}\` of these graphs`, {
    hint: "GET /runs lists them; a run is named by its whole id",
  });
}

/** An object of these members; those that are not named in `optional` must be there. */
export function objectOf(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return {
    type: "object",
    properties,
    additionalProperties: false,
    ...(required.length === 0 ? {} : { required }),
  };
}

/** A name or an id: nothing of any length that a client chooses is kept. */
export const NAME: JsonSchema = { type: "string", minLength: 1, maxLength: 500 };
/** A text for agents or people. */
export const TEXT: JsonSchema = { type: "string", maxLength: 100_000 };
export const ANY_OBJECT: JsonSchema = { type: "object", additionalProperties: true };
export const LIST: JsonSchema = { type: "array", items: ANY_OBJECT };
/** Any JSON. */
export const ANY: JsonSchema = {};
