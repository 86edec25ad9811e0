/** Reads the whole session of one agent of a run: everything that it was told, said, did and asked, turn by turn. */
import type { Observable } from "rxjs";
import { type Ir, nearest } from "../../dsl/index.ts";
import { bytesOf } from "../agents/operator/raw-piece.ts";
import type { RunEvent } from "../events/kinds/run-event.ts";
import { RunError } from "../failure.ts";
import { addUsage, noUsage, type Usage } from "../usage.ts";
import type { SessionItem, SessionTurn } from "./session-item.ts";
import { SessionTally } from "./session-tally.ts";

/** The run, as far as its sessions are read and what is private in it is known. */
interface SessionRun {
  readonly id: string;
  readonly graph: string;
  readonly ir: Ir;
  readonly state: unknown;
  readonly events$: Observable<RunEvent>;
}

/** As the run stood when it was read. */
export class AgentSession {
  readonly run: SessionRun;
  /** The node, or the label of one of its node runs. */
  readonly agent: string;
  /** One for each node run, in the order in which they began. */
  readonly turns: readonly SessionTurn[];

  constructor(run: SessionRun, agent: string, turns: readonly SessionTurn[]) {
    this.run = run;
    this.agent = agent;
    this.turns = turns;
  }

  /** All that was said and done, of all turns. */
  get items(): readonly SessionItem[] {
    return this.turns.flatMap(({ items }) => items);
  }

  get usage(): Usage {
    return this.turns.map(({ usage }) => usage).reduce(addUsage, noUsage);
  }

  /** Returns the bytes of an item, as the agent's program printed them; empty where they are nobody's. Only known secrets are hidden. */
  raw(item: SessionItem): Uint8Array {
    const turn = this.turns.find(({ items }) => items.includes(item));
    const [from, to] = item.raw ?? [0, 0];
    if (turn === undefined || to <= from) return new Uint8Array();
    const bytes = Buffer.concat(rawOf(this.run, turn.nodeRun, item.attempt));
    return new Uint8Array(bytes.subarray(from, to));
  }

  toJSON() {
    const { run, agent, turns } = this;
    const plain = turns.map((turn) => {
      const { node, label, controller, model, sessionIds, status, usage, items } = turn;
      return { node, label, controller, model, session_ids: sessionIds, status, usage, items };
    });
    return { run_id: run.id, graph: run.graph, agent, turns: plain };
  }
}

/** Throws M8340 for an agent that has said nothing yet, or that is none. */
export function readSession(run: SessionRun, agent: string): AgentSession {
  const tally = new SessionTally({ ownAgents: true });
  // The run replays its past while we subscribe.
  run.events$.subscribe((event) => tally.take(event)).unsubscribe();
  const turns = tally.turns.filter(
    ({ node, label }) => node === agent || label === agent || label.endsWith(` › ${agent}`),
  );
  if (turns.length === 0) throw noSession(run, agent, tally.turns);
  return new AgentSession(run, agent, turns);
}

function rawOf(run: SessionRun, nodeRun: number, attempt: number): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  const take = (event: RunEvent) => {
    if (event.kind !== "controller.raw" || event.nodeRun !== nodeRun) return;
    if (event.attempt === attempt) pieces.push(bytesOf(event.raw));
  };
  run.events$.subscribe(take).unsubscribe();
  return pieces;
}

function noSession(run: SessionRun, agent: string, turns: readonly SessionTurn[]): RunError {
  const names = [...new Set(turns.map(({ node }) => node))];
  const meant = nearest(agent, names);
  const known = names.map((name) => `\`${name}\``).join(", ");
  const others = names.length === 0 ? "no agent has said anything yet" : `there are ${known}`;
  return new RunError("M8340", `\`${run.graph}\` has no session of \`${agent}\``, {
    hint: meant === undefined ? others : `did you mean \`${meant}\`?`,
    runId: run.id,
  });
}
