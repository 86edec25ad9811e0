/** People in a simulation: what they do at a random moment, each of it twice, and what must come of it. */

import type { PeopleVerb, SimulationOptions } from "../../../runtime/explore/simulation.ts";
import { pathOf } from "../../../runtime/history/log-path.ts";
import type { Answer } from "../../../runtime/interrupt.ts";
import type { LogRecord, RecordBody } from "../../../runtime/records/records.ts";
import type { Completion } from "../../../runtime/scheduler/completion.ts";
import { foldIn } from "../../../runtime/scheduler/fold.ts";
import { openInterrupts } from "../../../runtime/scheduler/interrupts.ts";
import { shownState } from "../../../runtime/scheduler/lookup.ts";
import type { Program } from "../../../runtime/scheduler/program/program.ts";
import {
  type NodeRun,
  type OpenInterrupt,
  type Snapshot,
  stepAt,
} from "../../../runtime/scheduler/snapshot/snapshot.ts";
import { isJsonEqual } from "../../../runtime/state/json.ts";
import { SimulatedNotes } from "./simulated-notes.ts";

/** The simulation that they come to. */
export interface Visited {
  program(): Program;
  random(): number;
  now(): number;
  snapshot(): Snapshot;
  records(): readonly LogRecord[];
  /** Has something decided now; the records that came of it, the last ones of the log. */
  decide(completion: Completion): readonly RecordBody[];
  /** Nothing is under way any more; whoever goes on reads the log. */
  settle(): void;
  /** What whoever is asked says. */
  answerTo(question: OpenInterrupt): Answer | "nobody";
  /** A person does this some time later. */
  later(completion: Completion, id?: number): void;
}

export class People {
  readonly #visited: Visited;
  readonly #options: Pick<SimulationOptions, "verbs" | "edit">;
  /** What they said and were told was heard. */
  readonly said: LogRecord[] = [];
  /** What was done twice and had an effect twice, and what was done and had none. */
  readonly #unheeded: string[] = [];
  readonly notes: SimulatedNotes;
  #visits = 0;

  constructor(visited: Visited, options: Pick<SimulationOptions, "verbs" | "edit">) {
    this.#visited = visited;
    this.#options = options;
    this.notes = new SimulatedNotes({ ...visited, later: (one) => visited.later(one) });
  }

  get unheeded(): readonly string[] {
    return [...this.#unheeded, ...this.notes.twice, ...this.notes.lost];
  }

  get visits(): number {
    return this.#visits;
  }

  visit(): void {
    this.#visits += 1;
    const { verbs = USUAL } = this.#options;
    const verb = verbs[Math.floor(this.#visited.random() * verbs.length)] ?? "hold";
    this.#do(verb);
  }

  #do(verb: PeopleVerb): void {
    const at = this.#visited.now();
    if (verb === "hold") {
      this.#twice({ kind: "control", verb, at });
      this.#goOn("release");
    } else if (verb === "pause" || verb === "abort") {
      this.#twice({ kind: "control", verb, at });
      this.#visited.settle();
      this.#goOn("resume");
    } else if (verb === "rewind") this.#rewind();
    else if (verb === "retry") this.#rewind({ anew: true });
    else if (verb === "edit") this.#edit();
    else if (verb === "modify") this.#modify();
    else if (verb === "abort elsewhere") {
      const reason = `visit ${this.#visits}`;
      this.notes.leave(() => ({ kind: "control", verb: "abort", reason, at }));
    } else if (verb === "pause elsewhere") {
      const reason = `visit ${this.#visits}`;
      this.notes.leave(() => ({ kind: "control", verb: "pause", reason, at }));
    } else if (verb === "answer elsewhere") this.#answerElsewhere();
    else if (verb === "steer elsewhere") {
      const text = `visit ${this.#visits}`;
      this.notes.leave((note) => ({ kind: "steer", text, note, at }));
    } else if (verb === "use") {
      this.#say({ kind: "use", node: this.#node(), use: { model: "other" }, at });
    } else {
      this.#say({ kind: "steer", text: `visit ${this.#visits}`, ...this.#whom(), at });
    }
  }

  /** The second time must change nothing. */
  #twice(completion: Completion & { readonly kind: "control" }): void {
    this.#visited.decide(completion);
    const again = this.#visited.decide(completion);
    if (again.length > 0)
      this.#unheeded.push(`a second ${completion.verb} writes ${again[0]?.kind}`);
  }

  #goOn(verb: "release" | "resume"): void {
    const at = this.#visited.now() + this.#visited.random() * 20;
    this.#visited.later({ kind: "control", verb, at });
  }

  /** To before a step; where one node run is tried again, that one begins anew there. */
  #rewind({ anew = false }: { readonly anew?: boolean } = {}): void {
    const at = this.#visited.now();
    this.#visited.decide({ kind: "control", verb: "hold", at });
    const path = pathOf(this.#visited.records());
    const steps = path.filter(({ kind }) => kind === "run" || kind === "commit");
    // Not far: whoever always goes back to the start never comes to the end.
    const step = Math.max(0, steps.length - 1 - Math.floor(this.#visited.random() * BACK_MAX));
    const to = steps[step]?.seq ?? 0;
    this.#visited.settle();
    const then = stepAt(this.#visited.snapshot(), step, foldIn(this.#visited.program()));
    const open = anew ? [...(then?.open.values() ?? [])].filter(isOfNode) : [];
    const from = open[Math.floor(this.#visited.random() * open.length)]?.id;
    const again = from === undefined ? {} : { anew: from };
    this.#visited.decide({ kind: "control", verb: "rewind", step, to, ...again, at });
    this.#goOn("release");
  }

  #edit(): void {
    const state = () => shownState(this.#visited.program(), this.#visited.snapshot());
    const values = this.#options.edit?.(state()) ?? {};
    this.#say({ kind: "edit", values, at: this.#visited.now() });
    const shown = state();
    const other = Object.entries(values).find(([name, value]) => !isJsonEqual(shown[name], value));
    if (other !== undefined) this.#unheeded.push(`an edit of ${other[0]} leaves it as it was`);
  }

  /** Another plan for a graph that is made of one, where one is under way. */
  #modify(): void {
    const { children, open } = this.#visited.snapshot();
    const { nodes } = this.#visited.program();
    const plans = [...children.entries()].filter(
      ([id]) => nodes[open.get(id)?.node ?? -1]?.called?.isPlan === true,
    );
    const [id, child] = plans[Math.floor(this.#visited.random() * plans.length)] ?? [];
    if (id === undefined || child === undefined) return;
    const { steps = [] } = (child.snapshot.input.plan ?? {}) as {
      readonly steps?: readonly object[];
    };
    const last = { id: `more${this.#visits}`, title: "one more", details: "", depends: [] };
    const plan = { steps: [...steps.slice(0, 1), { ...steps[0], ...last }] };
    this.#say({ kind: "modify", id, plan, at: this.#visited.now() });
  }

  /** Whether whoever is asked says it in another process: some do where people answer there at all. */
  answersElsewhere(asked: Asked): boolean {
    const { verbs = [] } = this.#options;
    if (!verbs.includes("answer elsewhere") || this.#visited.random() >= ELSEWHERE) return false;
    return this.#leaveAnswer(asked);
  }

  #leaveAnswer({ question, home }: Asked): boolean {
    const [answer, at] = [this.#visited.answerTo(question), this.#visited.now()];
    if (answer === "nobody") return false;
    const { id, interrupt } = question;
    const where = home === undefined ? { id } : { id, sub: home };
    const said = { interrupt, answer, from: "person", by: "elsewhere", at } as const;
    return this.notes.leave(() => ({ kind: "answer", ...where, ...said }));
  }

  #answerElsewhere(): void {
    const open = openInterrupts(this.#visited.snapshot());
    const asked = open[Math.floor(this.#visited.random() * open.length)];
    if (asked !== undefined) this.#leaveAnswer(asked);
  }

  /** What is heard is stored before anybody is told so. */
  #say(completion: Completion): void {
    const before = this.#visited.records().length;
    if (this.#visited.decide(completion).length === 0) return;
    // What follows from it is told to nobody.
    const told = this.#visited.records().slice(before);
    this.said.push(...told.filter(({ kind }) => kind !== "sub"));
  }

  #whom(): { readonly to?: string } {
    return this.#visited.random() < 0.5 ? {} : { to: this.#node() };
  }

  #node(): string {
    const { nodes } = this.#visited.program();
    return nodes[Math.floor(this.#visited.random() * nodes.length)]?.ir.name ?? "";
  }
}

/** What reads the items of a stream is no node's. */
function isOfNode({ source }: NodeRun): boolean {
  return source === undefined;
}

const BACK_MAX = 5;

/** How many of those who are asked answer from another process. */
const ELSEWHERE = 0.3;

type Asked = ReturnType<typeof openInterrupts>[number];

const USUAL: readonly PeopleVerb[] = [
  ...(["hold", "hold", "hold", "hold", "pause", "pause", "pause"] as const),
  ...(["rewind", "rewind", "rewind"] as const),
];
