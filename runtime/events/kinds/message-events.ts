/** Events of messages and artifacts. */
import type { Made } from "../../artifact.ts";
import type { Envelope } from "../../envelope.ts";
import type { EventBase, NodeFacts } from "./event-base.ts";

export type MailEvent = MessageSent | RunSteered | MessageRead | MessageDead | ArtifactCreated;

/** A node run's commit sent a message. */
export interface MessageSent extends EventBase, NodeFacts {
  readonly kind: "message.sent";
  readonly step: number;
  readonly message: Omit<Envelope, "runId" | "threadId">;
}

/** A person said something to the run. */
export interface RunSteered extends EventBase {
  readonly kind: "run.steered";
  readonly step: number;
  readonly message: Omit<Envelope, "runId" | "threadId">;
}

/** The commit of a node run that had found a message when it started. */
export interface MessageRead extends EventBase, NodeFacts {
  readonly kind: "message.read";
  readonly step: number;
  readonly message: string;
}

/** The run ended, and nobody had read this message. */
export interface MessageDead extends EventBase {
  readonly kind: "message.dead";
  readonly step: number;
  readonly message: string;
}

/** A node run's commit made this an artifact of the run. */
export interface ArtifactCreated extends EventBase, NodeFacts {
  readonly kind: "artifact.created";
  readonly step: number;
  readonly artifact: Made;
}
