/** The declarations of tools, and the contexts that their functions are called with. */
import type { Directory, JsonSchema } from "../../../dsl/index.ts";
import type { ArtifactOptions, Made } from "../../artifact.ts";
import type { Answer, Question } from "../../interrupt.ts";
import type { CallGraph, CallProgress, PerformerContext } from "../../performer.ts";
import type { Baseline, Classified } from "../../scheduler/guard/decide-call.ts";
import type { ReportedCall, ToolCaller } from "../tools/tool-caller.ts";
import type { StandardSchema } from "./tool-input.ts";

/** The reach of a tool: nothing, files of the workspace, or the world outside. Approvals follow from it. */
export type ToolEffect = "none" | "workspace" | "external";

/** The second argument of a tool's function. */
export interface ToolContext {
  /** Aborted when the attempt is, or when the tool is out of time. */
  readonly signal: AbortSignal;
  /**
   * Names this call to the world outside, which does not do twice what it knows the key of: the same key after a crash,
   * and where a retry or a repair makes a failed call again; another key for another call.
   */
  readonly idempotencyKey: string;
  /** Keeps bytes, a text or a value under its hash; with the commit of this attempt it is an artifact of the run. */
  artifact(options: ArtifactOptions): Promise<Made>;
}

/** The context of the tools of MCP servers, which may ask a person, and say how far they are, while they are called. */
export interface AskingToolContext extends ToolContext {
  /** Tells listeners of the run how far the call has come; absent where TypeScript calls the tool itself. */
  readonly progress?: (of: CallProgress) => void;
  /** Asks whoever answers the run; absent where TypeScript calls the tool itself. */
  readonly ask?: (question: Question) => Promise<Answer>;
}

/** The context of tools whose calls may go on elsewhere than their arguments say, as by a redirect. */
export interface FollowingToolContext extends ToolContext {
  /**
   * Returns why the guard of the run would not let a call with this input be made as it is; undefined where it would, or
   * where there is none. Absent where TypeScript calls the tool itself.
   */
  readonly reasonAgainst?: (input: unknown) => Promise<AgainstCall | undefined>;
}

/** The reason against a call: it would be refused, or asked about. */
export interface AgainstCall {
  readonly may: "ask" | "refuse";
  readonly reason: string;
}

/** The context of tools that keep something open for each agent; TypeScript that calls them itself has none. */
export interface CalledToolContext extends AskingToolContext {
  readonly caller?: ToolCaller;
  /** The time at which the call was first made, in milliseconds of the epoch: before a crash, too. */
  readonly askedAt?: number;
  /** The number of the record by which the call began, in the log of the run. */
  readonly seq?: number;
}

/** The declaration of a tool that can show what a call of it would act on. */
export interface PreviewedToolOptions extends ToolOptions {
  /** Says it in a sentence, for whoever approves the call; of the input and the log alone, so that it can be said again. */
  readonly shows?: (input: never, caller: ToolCaller) => string | undefined;
  /** Shows it where it is, until the returned function is called. */
  readonly preview?: (input: never, caller: ToolCaller) => Promise<() => Promise<void>>;
  /** Reports on the calls of an agent at the end of its turn; one function for all tools that share a report. */
  readonly report?: ReportCalls;
}

/** The options of a tool whose calls need another effect before them, which is logged as each effect is. */
export interface PreparedToolOptions extends ToolOptions {
  readonly prepare: PrepareCall;
}

/** Makes that other effect. */
export type PrepareCall = (input: unknown, effect: PerformerContext["effect"]) => Promise<void>;

/** Makes artifacts of the calls that an agent made in its turn of the tools with this report. */
export type ReportCalls = (
  caller: ToolCaller,
  calls: readonly ReportedCall[],
  context: Pick<ToolContext, "artifact" | "signal">,
) => Promise<void>;

/** The context of graphs that an agent calls as tools. */
export interface GraphToolContext extends ToolContext {
  readonly callGraph?: CallGraph;
}

/** The declaration of a graph as a tool. */
export interface GraphToolOptions extends ToolOptions {
  readonly isGraph: true;
}

/** The declaration of a tool of an MCP server. */
export interface AskingToolOptions extends ToolOptions {
  readonly asks: true;
}

/** The declaration of a tool. */
export interface ToolOptions {
  readonly effect: ToolEffect;
  /** The text by which the model decides whether to call the tool; the function's JSDoc by default. */
  readonly description?: string;
  /**
   * The schema of the input: JSON Schema of an object, or a schema of zod or another library with Standard JSON Schema.
   * The function then gets that object. By default it follows from the types of the function's parameters.
   */
  readonly input?: JsonSchema | StandardSchema;
  /** The frequency with which calls need consent where a `guard` asks; by default it follows from the effect. */
  readonly baseline?: Baseline;
  /**
   * The members of the input that choose where an external call goes: a recipient, an address. By default all of them
   * may, which `guard.trust` looks at.
   */
  readonly targets?: readonly string[];
  /** Says that its result holds records that trusted values may name, and what targets such a record gives. */
  readonly directory?: Directory;
  /** The address that every call goes to, whatever its input: `guard.urls` decides on it. */
  readonly address?: string;
  /** Says of one call whether it is harmless, needs consent or may never be made; of any other call nothing. */
  readonly classify?: (input: never) => Classified | undefined;
  /** Two minutes if not said. */
  readonly timeoutMs?: number;
  /** Set if calls of one turn may run at once; all tools of the turn must set it. */
  readonly parallel?: boolean;
  /** Set for an external tool that comes to the same when a call is made twice: one in doubt is made again without a question. */
  readonly idempotent?: boolean;
  /** Set for an external tool that passes on its `idempotencyKey`: a call in doubt is made again, with the same key. */
  readonly keyed?: boolean;
}
