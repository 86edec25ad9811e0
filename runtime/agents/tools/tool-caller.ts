/** Says who calls a tool, for tools that keep something open for each agent, such as a browser. */
import { Subject } from "rxjs";
import type { Attempt } from "../../performer.ts";
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

  constructor(
    { runId, nodeRunId, reach, history = [], session = [] }: Attempt,
    open = new OpenResources(),
  ) {
    this.run = runId;
    this.turn = nodeRunId;
    this.reach = reach;
    this.open = open;
    this.results = [...history.flat(), ...session]
      .flatMap(({ effect, value }) => (effect === "tool" && isStateful(value) ? [value] : []))
      .reverse();
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
    this.calls.push(call);
    if (isStateful(call.value)) this.results.unshift(call.value);
  }
}
