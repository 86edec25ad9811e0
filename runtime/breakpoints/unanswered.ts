/** Warns of conditions of breakpoints that can't be evaluated; such a breakpoint holds no run. */
import { type ExprIr, type Ir, positionAt } from "../../dsl/index.ts";
import { type Located, labelOf } from "../scheduler/called-snapshots.ts";
import { CallNeeded } from "../scheduler/expressions/calls.ts";
import { evaluate, type Lookup, shownInText } from "../scheduler/expressions/evaluate.ts";
import { EvaluationError } from "../scheduler/expressions/evaluation-errors.ts";
import { breakpointText } from "./breakpoint-text.ts";
import type { BreakpointPlace } from "./breakpoint-types.ts";

/** A warning about a breakpoint whose condition was neither true nor false, given the first time. */
export interface BreakpointWarning {
  readonly code: "M5458";
  /** The condition, its place in the run, and the reason for its missing value. */
  readonly message: string;
  readonly hint: string;
}

export type WarningWatcher = (warning: BreakpointWarning) => void;

/** Those of one run, each breakpoint's once. */
export class BreakpointWarnings {
  readonly #reported = new WeakSet<BreakpointPlace>();
  readonly #watchers = new Set<WarningWatcher>();
  readonly #all: BreakpointWarning[] = [];

  get all(): readonly BreakpointWarning[] {
    return this.#all;
  }

  /** The result ends it. */
  watch(watcher: WarningWatcher): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  tell(
    place: BreakpointPlace,
    { found, why }: { readonly found: Located; readonly why: NoAnswer },
  ) {
    if (this.#reported.has(place)) return;
    this.#reported.add(place);
    const warning = warningOf(place, found, why);
    this.#all.push(warning);
    for (const watcher of [...this.#watchers]) watcher(warning);
  }
}

/** The reason why a condition is neither true nor false, with the place in its text. */
export interface NoAnswer {
  readonly why: string;
  /** It has a value, of another kind. */
  readonly isOther?: true;
  readonly span?: readonly [number, number] | undefined;
}

export function answerOf(condition: ExprIr, lookup: Lookup): boolean | NoAnswer {
  try {
    const value = evaluate(condition, lookup);
    if (typeof value === "boolean") return value;
    if (value === undefined || value === null) {
      return { why: "it has no value yet", span: condition.span };
    }
    const shown = shownInText(value).slice(0, 60);
    const why = `it is ${shown}, which is neither true nor false`;
    return { why, span: condition.span, isOther: true };
  } catch (error) {
    if (error instanceof EvaluationError) return { why: error.message, span: error.span };
    if (!(error instanceof CallNeeded)) throw error;
    return {
      why: "it would call TypeScript, and a breakpoint calls nothing",
      span: condition.span,
    };
  }
}

const COMPARE = "compare the value with another one, as in `notes.length > 3`";
const DEFAULT =
  "`??` says what stands for a value that is not written yet, as in `(notes ?? []).length > 3`";

function warningOf(place: BreakpointPlace, found: Located, no: NoAnswer): BreakpointWarning {
  const { callers, snapshot } = found;
  const label = [...callers.map((caller) => caller.label), labelOf(found)].join(" › ");
  const where = positionText(place, found.program.ir, no.span);
  return {
    code: "M5458",
    message: `the condition of the breakpoint ${breakpointText(place)} has no answer at ${label}, behind step ${snapshot.steps}: ${no.why}${where}`,
    hint: `it does not hold the run there: ${no.isOther === true ? COMPARE : DEFAULT}`,
  };
}

/** In the file for what the graph says, else in what a person has typed. */
function positionText(
  { condition, typed }: BreakpointPlace,
  { source }: Ir,
  span: NoAnswer["span"] = condition?.span,
): string {
  const [start] = span ?? [0];
  if (typed !== undefined) {
    const { line, column } = positionAt({ file: "", text: typed }, start);
    return ` (\`${typed}\`:${line}:${column})`;
  }
  if (source === undefined) return "";
  const { line, column } = positionAt(source, start);
  return ` (${source.file}:${line}:${column})`;
}
