/** Folds the patches of a run up to a step into what that step changed. */
import { pathText, type traceQueries } from "../../../../runtime/index.ts";

/** One place in the state that a step changed. */
export interface StateChange {
  /** `findings[2]`. */
  readonly path: string;
  readonly op: "add" | "replace" | "remove";
  readonly node: string | null;
  /** JSON; null where there was nothing. */
  readonly before: string | null;
  /** JSON; null where nothing is left. */
  readonly after: string | null;
  /** The growth of its JSON in bytes. */
  readonly bytes: number;
}

/**
 * A patch as the log has it; it reaches no deeper than an item of a list or a member of an object.
 */
interface ChartPatch {
  readonly op: "add" | "replace" | "remove";
  readonly path: readonly (string | number)[];
  readonly value?: unknown;
}

type ChartedState = Record<string, unknown>;

/** `patches` are all of the run up to the step, in order. */
export function changesOf(
  patches: readonly traceQueries.StepPatches[],
  step: number,
): readonly StateChange[] {
  const { take } = stateFolder();
  return patches.flatMap((one) => {
    const changes = take(one);
    return one.step === step ? changes : [];
  });
}

/** Follows a state from patch to patch: `take` says what some patches change, `state` what has come of all. */
export function stateFolder(): {
  readonly state: Readonly<Record<string, unknown>>;
  readonly take: (of: Pick<traceQueries.StepPatches, "node" | "patches">) => readonly StateChange[];
} {
  const state: ChartedState = Object.create(null);
  return {
    state,
    take: ({ node, patches }) =>
      (JSON.parse(patches) as readonly ChartPatch[]).map((patch) => {
        const before = patch.op === "add" ? undefined : valueAt(state, patch.path);
        const change = changeOf(patch, { before, node });
        apply(state, patch);
        return change;
      }),
  };
}

function changeOf(
  { op, path, value }: ChartPatch,
  { before, node }: { readonly before: unknown; readonly node: string | null },
): StateChange {
  const [old, now] = [jsonOf(before), op === "remove" ? null : jsonOf(value)];
  const bytes = Buffer.byteLength(now ?? "") - Buffer.byteLength(old ?? "");
  return { path: pathText(path), op, node, before: old, after: now, bytes };
}

function jsonOf(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

function valueAt(state: ChartedState, [field = "", key]: ChartPatch["path"]): unknown {
  const whole = state[field];
  if (key === undefined) return whole;
  if (typeof whole !== "object" || whole === null || !Object.hasOwn(whole, key)) return undefined;
  return (whole as ChartedState)[key];
}

function apply(state: ChartedState, { op, path, value }: ChartPatch): void {
  const [field = "", key] = path;
  if (key === undefined) {
    if (op === "remove") delete state[field];
    else state[field] = value;
    return;
  }
  const whole = state[field];
  if (Array.isArray(whole)) {
    const list = [...whole];
    const at = Number(key);
    list.splice(at, op === "add" ? 0 : 1, ...(op === "remove" ? [] : [value]));
    state[field] = list;
    return;
  }
  const { [key]: _, ...others } = (whole ?? {}) as ChartedState;
  state[field] =
    op === "remove" ? others : { ...(whole as ChartedState | undefined), [key]: value };
}
