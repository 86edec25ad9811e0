/** The units that a `limit` counts in besides time and money, each with all that the language needs to know of it. */

export interface LimitUnitFacts {
  /** One use of it, for hints. */
  readonly example: string;
  /** The counted thing, as people name it: "the run has reached its limit of …". */
  readonly counts: string;
  /** The names that other tools and people use for it. */
  readonly otherNames: readonly string[];
  /**
   * True if parallel branches use it up together, so that the clock decides which of them comes too
   * late.
   */
  readonly isShared: boolean;
  /**
   * The questions to a person that can reach it: all of them, only those whose answer a model
   * judges, or none.
   */
  readonly ofQuestions: "always" | "if judged" | "never";
}

/** To add one: an entry here, and what it counts in runtime/scheduler/limits.ts, which does not compile without it. */
export const LIMITS = {
  tokens: {
    example: "40k tokens",
    counts: "tokens",
    otherNames: ["token"],
    isShared: true,
    ofQuestions: "if judged",
  },
  turns: {
    example: "12 turns",
    counts: "model calls (turns)",
    otherNames: ["turn", "iteration", "iterations", "requests", "round", "rounds"],
    isShared: true,
    ofQuestions: "if judged",
  },
  calls: {
    example: "20 calls",
    counts: "tool calls",
    otherNames: ["call", "tools", "tool_calls"],
    isShared: true,
    ofQuestions: "never",
  },
  steps: {
    example: "60 steps",
    counts: "steps",
    otherNames: ["step", "recursions", "supersteps"],
    isShared: true,
    ofQuestions: "never",
  },
  errors: {
    example: "3 errors",
    counts: "errors in a row",
    otherNames: [],
    isShared: true,
    ofQuestions: "always",
  },
  repeats: {
    example: "3 repeats",
    counts: "repeats without a change of the state",
    otherNames: [],
    isShared: false,
    ofQuestions: "always",
  },
} as const satisfies Readonly<Record<string, LimitUnitFacts>>;

export type LimitUnit = keyof typeof LIMITS;

export const LIMIT_UNITS = Object.keys(LIMITS) as readonly LimitUnit[];

/** The facts of a unit; nothing for a word that is none. */
export function limitFacts(unit: string): LimitUnitFacts | undefined {
  return Object.hasOwn(LIMITS, unit) ? LIMITS[unit as LimitUnit] : undefined;
}
