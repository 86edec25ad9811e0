/** Describes what differs from agent to agent: its program, and what the lines that go to and fro mean. */
import type { JsonSchema } from "../../../../dsl/index.ts";
import type {
  ApprovalAnswer,
  ControllerCapabilities,
  ControllerEvent,
  SessionSnapshot,
} from "../../operator/controller.ts";
import type { StrongAgentOptions } from "./agent-options.ts";

/** A kind of strong agent that is a program on this machine. */
export interface AgentKind {
  /** The controller's name: `claude_code`. */
  readonly name: string;
  /** The program that is started where `command` says nothing else, with its arguments. */
  readonly program: readonly string[];
  /** The command that installs it, as a hint. */
  readonly install: string;
  /** The version that was tried. */
  readonly tried: string;
  readonly capabilities: ControllerCapabilities;
  /** The wire of one turn. */
  readonly wire: (turn: WiredTurn) => AgentWire;
}

/** A turn as a wire is told of it. */
export interface WiredTurn {
  /** The program, with the arguments that it always has. */
  readonly program: readonly string[];
  /** The folder that it works in. */
  readonly folder: string;
  readonly instruction: string;
  readonly system?: string;
  readonly outputSchema?: JsonSchema;
  readonly attachments: readonly AttachedFile[];
  readonly session: WiredSession;
  readonly options: StrongAgentOptions;
  /** The tools that the node names. */
  readonly tools: readonly string[];
  /** Set for a turn that only puts an answer right: it may look at files and write them, and nothing else. */
  readonly isRepair: boolean;
  /** The MCP server of the run. */
  readonly server?: OfferedServer;
  /** A folder of this turn alone, beside the folder that it works in. */
  readonly ownFolder: string;
}

/** A session that begins, goes on, or goes on beside itself from where it once stood. */
export type WiredSession =
  | { readonly kind: "new" }
  | { readonly kind: "next"; readonly sessionId: string }
  | { readonly kind: "fork"; readonly from: SessionSnapshot; readonly sessionId: string };

/** A file that goes with the instruction. */
export interface AttachedFile {
  readonly name: string;
  readonly mime: string;
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** A server of MCP on this machine alone. */
export interface OfferedServer {
  readonly name: string;
  readonly url: string;
  readonly token: string;
}

/** The lines of one turn: what is written, and what those that come mean. */
export interface AgentWire {
  readonly command: readonly string[];
  /** Variables beside those that every agent gets. */
  readonly env: Readonly<Record<string, string>>;
  /** Called once, when the program runs. */
  begin(io: WireIo): void;
  /** The meaning of a message; of one with none, nothing. */
  read(message: Readonly<Record<string, unknown>>): readonly ControllerEvent[];
  answer(answer: ApprovalAnswer): void;
  /** Asks it to stop, in its own words. */
  interrupt(): void;
  /** Tells it something more in the middle of its turn. */
  readonly steer?: (text: string) => void;
  /** The position in its own history, for a later fork. */
  readonly cursor?: () => string | undefined;
  /** Returns whether what it says at its end means that it does not know the session. */
  readonly isGone?: (text: string) => boolean;
}

export interface WireIo {
  /** Writes one message as a line of JSON. */
  readonly send: (message: Readonly<Record<string, unknown>>) => void;
  /** Tells events that belong to no line. */
  readonly tell: (...events: readonly ControllerEvent[]) => void;
}
