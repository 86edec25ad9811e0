/** Says who calls a tool, for tools that keep something open for each agent, such as a browser. */
import { Subject } from "rxjs";
import type { Directory } from "../../../dsl/index.ts";
import type { Attempt } from "../../performer.ts";
import { type DirectoryEntry, entriesIn } from "../../scheduler/guard/directories.ts";
import type { GuardedReach } from "../../scheduler/guard/guard-of.ts";
import type { LivePage } from "../browser/live-page.ts";

/** An agent that calls tools. */
export interface ToolCaller {
  readonly run: string;
  /** The node run that has the turn. */
  readonly turn: string;
  /** The number of the model's call that asked for this one, from 1. */
  readonly step: number;
  readonly reach: GuardedReach | undefined;
  /** The things that stay open until the run ends. */
  readonly open: OpenResources;
  /** The state in which the last tool that keeps one left it to this agent: of this turn, or of one that it remembers. */
  readonly state: unknown;
  /** The results of such tools that the agent has got, newest first. */
  readonly results: readonly unknown[];
}

/** A call of a tool that an agent made, by the tool's name in the program, with its value or the error that the model was told. */
export interface ReportedCall {
  readonly tool: string;
  readonly input: unknown;
  readonly value?: unknown;
  readonly error?: string;
}

/** Things that tools of one run have open. */
export class OpenResources {
  /** Says when the page of an agent's browser may have changed, to whoever watches. */
  readonly livePages$ = new Subject<LivePage>();
  readonly #closing: ((isOver: boolean) => Promise<unknown>)[] = [];

  /** `close` is told whether the run is over: else it may go on, in another process too. */
  add(close: (isOver: boolean) => Promise<unknown>): void {
    this.#closing.push(close);
  }

  /** Closes all of it at once; what that failed with. */
  async close(isOver = false): Promise<readonly unknown[]> {
    const closing = this.#closing.splice(0).map((close) => close(isOver));
    const closed = await Promise.allSettled(closing);
    return closed.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  }
}

/** A result with the state that its tool goes on from, of which no model is told. */
export interface StatefulResult {
  readonly $state: unknown;
  readonly value: unknown;
}

export function isStateful(value: unknown): value is StatefulResult {
  return typeof value === "object" && value !== null && "$state" in value && "value" in value;
}

/** A tool, which may be a directory. */
interface RecordTool {
  readonly name: string;
  readonly directory?: Directory;
}

/** An agent in one attempt. What it knows of earlier calls comes from the log, so that a resumed attempt knows the same. */
export class AgentCaller implements ToolCaller {
  readonly run: string;
  readonly turn: string;
  readonly reach: GuardedReach | undefined;
  readonly open: OpenResources;
  step = 0;
  readonly results: unknown[];
  /** The calls of this turn, oldest first. */
  readonly calls: ReportedCall[];
  readonly #answered: { readonly tool: string; readonly value: unknown }[];

  constructor(
    { runId, nodeRunId, reach, history = [], session = [] }: Attempt,
    open = new OpenResources(),
  ) {
    this.run = runId;
    this.turn = nodeRunId;
    this.reach = reach;
    this.open = open;
    this.#answered = [...history.flat(), ...session].flatMap(({ effect, name, value }) =>
      effect === "tool" && value !== undefined ? [{ tool: name, value }] : [],
    );
    this.results = this.#answered.flatMap(({ value }) => (isStateful(value) ? [value] : []));
    this.results.reverse();
    this.calls = session.flatMap(({ effect, name, request, value, failure }) => {
      if (effect !== "tool") return [];
      const result = failure === undefined ? { value } : { error: failure.message };
      return [{ tool: name, input: request, ...result }];
    });
  }

  get state(): unknown {
    const [last] = this.results;
    return isStateful(last) ? last.$state : undefined;
  }

  /** Takes note of what a call came to, whether it was made or served. */
  learn(call: ReportedCall): void {
    const { tool, value } = call;
    this.calls.push(call);
    if (value !== undefined) this.#answered.push({ tool, value });
    if (isStateful(value)) this.results.unshift(value);
  }

  /** Returns the records that the directories among these tools have returned to the agent. */
  entriesOf(tools: readonly RecordTool[]): readonly DirectoryEntry[] {
    return tools.flatMap(({ name, directory }) =>
      directory === undefined
        ? []
        : this.#answered.flatMap(({ tool, value }) =>
            tool === name
              ? entriesIn(isStateful(value) ? value.value : value, name, directory)
              : [],
          ),
    );
  }
}
