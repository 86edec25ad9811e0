/** People in a simulation: what they do at a random moment, each of it twice, and what must come of it. */

import type { LogRecord, RecordBody } from "../records.ts";
import type { Completion } from "../scheduler/completion.ts";
import { shownState } from "../scheduler/lookup.ts";
import type { Program } from "../scheduler/program.ts";
import type { Snapshot } from "../scheduler/snapshot.ts";
import { isJsonEqual } from "../state/json.ts";
import { pathOf } from "./log-path.ts";
import type { PeopleVerb, SimulationOptions } from "./simulation.ts";

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
  /** A person does this some time later. */
  later(completion: Completion, id?: number): void;
}

export class People {
  readonly #visited: Visited;
  readonly #options: Pick<SimulationOptions, "verbs" | "edit">;
  /** What they said and were told was heard. */
  readonly said: LogRecord[] = [];
  /** What was done twice and had an effect twice, and what was done and had none. */
  readonly unheeded: string[] = [];
  #visits = 0;

  constructor(visited: Visited, options: Pick<SimulationOptions, "verbs" | "edit">) {
    this.#visited = visited;
    this.#options = options;
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
    else if (verb === "edit") this.#edit();
    else if (verb === "use") {
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
      this.unheeded.push(`a second ${completion.verb} writes ${again[0]?.kind}`);
  }

  #goOn(verb: "release" | "resume"): void {
    const at = this.#visited.now() + this.#visited.random() * 20;
    this.#visited.later({ kind: "control", verb, at });
  }

  #rewind(): void {
    const at = this.#visited.now();
    this.#visited.decide({ kind: "control", verb: "hold", at });
    const path = pathOf(this.#visited.records());
    const steps = path.filter(({ kind }) => kind === "run" || kind === "commit");
    // Not far: whoever always goes back to the start never comes to the end.
    const step = Math.max(0, steps.length - 1 - Math.floor(this.#visited.random() * BACK_MAX));
    const to = steps[step]?.seq ?? 0;
    this.#visited.settle();
    this.#visited.decide({ kind: "control", verb: "rewind", step, to, at });
    this.#goOn("release");
  }

  #edit(): void {
    const state = () => shownState(this.#visited.program(), this.#visited.snapshot());
    const values = this.#options.edit?.(state()) ?? {};
    this.#say({ kind: "edit", values, at: this.#visited.now() });
    const shown = state();
    const other = Object.entries(values).find(([name, value]) => !isJsonEqual(shown[name], value));
    if (other !== undefined) this.unheeded.push(`an edit of ${other[0]} leaves it as it was`);
  }

  /** What is heard is stored before anybody is told so. */
  #say(completion: Completion): void {
    const before = this.#visited.records().length;
    if (this.#visited.decide(completion).length === 0) return;
    this.said.push(...this.#visited.records().slice(before));
  }

  #whom(): { readonly to?: string } {
    return this.#visited.random() < 0.5 ? {} : { to: this.#node() };
  }

  #node(): string {
    const { nodes } = this.#visited.program();
    return nodes[Math.floor(this.#visited.random() * nodes.length)]?.ir.name ?? "";
  }
}

const BACK_MAX = 5;

const USUAL: readonly PeopleVerb[] = [
  ...(["hold", "hold", "hold", "hold", "pause", "pause", "pause"] as const),
  ...(["rewind", "rewind", "rewind"] as const),
];
