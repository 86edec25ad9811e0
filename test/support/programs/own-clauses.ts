/** Clauses that only nodes of one word have. */
import type { NodeShape } from "./shapes.ts";

interface Whose extends Pick<NodeShape, "word" | "own"> {
  readonly name: string;
  readonly isAlone: boolean;
}

/** About every second node of a word has some. */
export function ownClauses({ name, word, own, isAlone }: Whose): readonly string[] {
  switch (word) {
    case "agent":
      return pick(own, [
        ...AGENTS,
        [`state { of_${name}: int = 0 }`, `set of_${name} = of_${name} + 1`],
      ]);
    case "operator":
      return pick(own, OPERATORS);
    case "human":
      return isAlone ? pick(own, [...HUMANS, ["edits mode"]]) : pick(own, HUMANS);
    default:
      return pick(own, OTHERS);
  }
}

function pick(own: number, choices: readonly (readonly string[])[]): readonly string[] {
  return choices[own % 2 === 0 ? own / 2 : -1] ?? [];
}

const AGENTS: readonly (readonly string[])[] = [
  ["history none"],
  ["history inbox 3 turns"],
  ["history own 2 turns summarize"],
  ["history thread 40k tokens"],
  ["system `You are careful.`"],
  ["tools look", 'approve tool * `May I?` when call.effect != "none"'],
  ["tools helpers.*", "effects workspace"],
  ["context { offload: 2k, keep: 10 }"],
  ["reads log, total"],
];

const OPERATORS: readonly (readonly string[])[] = [
  ["session reuse"],
  ["session reuse shared"],
  ["session new"],
  ['session resume "s-1"'],
  ["effects external"],
];

const HUMANS: readonly (readonly string[])[] = [["approve before `Ask them?`"], ["reads log"]];

const OTHERS: readonly (readonly string[])[] = [
  ["effects none"],
  ["approve before by guard"],
  ["cache 1h by n"],
];
