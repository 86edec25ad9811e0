/** Keeps the state that each step of a followed run began with. */
import type { Ir } from "../../../dsl/index.ts";
import { type RunEvent, redaction, type Step } from "../../../runtime/index.ts";

type StateBefore = Readonly<Record<string, unknown>>;
type UndonePatch = Step["patches"][number];

/** A step for people; one of a node that writes nothing has no output. */
export interface StepOutcome {
  readonly output?: unknown;
  readonly patches: Step["patches"];
}

/** The context of one step of a followed run. */
export interface StepContext {
  /** The state that the step began with. */
  readonly before: StateBefore;
  /** The step's output and its changes, with secrets hidden. */
  readonly outcome: StepOutcome;
  /** Returns the reducer of a field: `append`. */
  reducerOf(field: string): string | undefined;
}

const contexts = new WeakMap<Step, () => StepContext>();

/** Undefined for a step of a run that nobody followed. */
export function stepContext(step: Step): StepContext | undefined {
  return contexts.get(step)?.();
}

/** Collects the states before each step from the events of one run. */
export class StatesBefore {
  readonly #reducers: ReadonlyMap<string, string>;
  readonly #ir: Ir;
  readonly #shower: redaction.EventShower;
  #first: StateBefore = {};

  constructor(ir: Ir) {
    const { fields } = ir;
    this.#ir = ir;
    this.#shower = redaction.eventShower(ir);
    this.#reducers = new Map(fields.map(({ name, reducer }) => [name, reducer.name]));
  }

  take(event: RunEvent, steps: readonly Step[]): void {
    this.#shower.learn(event);
    if (event.kind === "run.started") this.#first = firstState(event.patches);
    if (event.kind !== "commit" || event.path !== undefined) return;
    const [step, previous] = [steps[event.step - 1], steps[event.step - 2]];
    if (step === undefined) return;
    const first = this.#first;
    const reducerOf = (field: string) => this.#reducers.get(field);
    // The state is worked out when it is looked at.
    contexts.set(step, () => {
      const state = previous?.state ?? first;
      const before = redaction.shownValue(state, { ir: this.#ir, state });
      return { before, reducerOf, outcome: this.#shower.show(event) };
    });
  }
}

/** Builds the state from the patches that begin a run. */
function firstState(patches: readonly UndonePatch[]): StateBefore {
  const state: Record<string, unknown> = {};
  for (const { path, value } of patches) {
    const [field = "", ...rest] = path;
    state[field] = rest.length === 0 ? value : withPart(state[field], rest[0] ?? 0, value);
  }
  return state;
}

/** Patches reach no deeper than an item or a member. */
function withPart(whole: unknown, key: string | number, value: unknown): unknown {
  if (Array.isArray(whole)) return whole.toSpliced(Number(key), 0, value);
  return { ...(whole as object | undefined), [key]: value };
}
