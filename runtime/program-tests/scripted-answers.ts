/** Answers the questions of a test's run from its scripts. */
import type { ExprIr } from "../../dsl/index.ts";
import type { Answer } from "../interrupt.ts";
import { EvaluationError } from "../scheduler/expressions/evaluation-errors.ts";
import type { OpenInterrupt } from "../scheduler/snapshot/snapshot.ts";
import { describeMisfit, misfits } from "../state/json-schema.ts";
import type { ScriptTurns } from "./script-turns.ts";
import type { ScriptedPlace } from "./scripted-run.ts";
import type { ScriptFault } from "./scripts.ts";

export interface AnsweringOptions {
  readonly turns: ScriptTurns;
  readonly evaluate: (expression: ExprIr) => unknown;
  readonly stop: (fault: ScriptFault) => void;
}

/** Returns the answer to a question about a node, `expires` where nobody gives one, and nothing where the test stops. */
export function answerTo(
  question: OpenInterrupt,
  place: ScriptedPlace,
  { turns, evaluate, stop }: AnsweringOptions,
): Answer | "expires" | undefined {
  const { node } = place;
  const line = turns.answer(place);
  if (line === undefined) {
    if (IS_GRANTED.includes(question.ask)) return { kind: "approve" };
    const message = `\`${node}\` asks "${question.question}", and nobody answers`;
    const hint = `write \`${node} answers …\`, \`denied "…"\` or \`expires\``;
    stop({ code: "M5703", node, message, hint });
    return undefined;
  }
  const wrong = (message: string, hint: string) => {
    stop({ code: "M5704", node, message, hint, line: line.value });
    return undefined;
  };
  if (line.how === "expires")
    return question.expiresAt === undefined
      ? wrong(
          `the question of \`${node}\` does not expire: it has no \`within\``,
          `a no is \`${node} denied "…"\``,
        )
      : "expires";
  try {
    const value = evaluate(line.value);
    if (line.how === "denied") return { kind: "deny", reason: String(value) };
    return (
      answerWith(question, value) ??
      wrong(`the answer of \`${node}\` does not fit what it asks`, misfitHint(question, value))
    );
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return wrong(
      `the answer of \`${node}\` can't be evaluated: ${error.message}`,
      "a script sees the run as it stands when its node runs",
    );
  }
}

/** The kinds of questions that are answered with a yes where no line says something else. */
const IS_GRANTED: readonly OpenInterrupt["ask"][] = ["approval", "review", "limit", "ensure"];

/** A plain yes or no where only that is asked, else the value; undefined where it does not fit. */
function answerWith(
  { ask, schema, editSchema }: OpenInterrupt,
  value: unknown,
): Answer | undefined {
  if (IS_GRANTED.includes(ask) || ask === "doubt") {
    if (value === true) return { kind: "approve" };
    if (value === false) return { kind: "deny" };
    return ask === "limit" ? undefined : { kind: "edit", value };
  }
  const wanted = ask === "edit" ? (editSchema ?? schema) : schema;
  if (wanted !== undefined && misfits(value, wanted).length > 0) return undefined;
  return ask === "edit" ? { kind: "edit", value } : { kind: "value", value };
}

function misfitHint({ ask, schema, editSchema }: OpenInterrupt, value: unknown): string {
  const wanted = ask === "edit" ? (editSchema ?? schema) : schema;
  const [first] = wanted === undefined ? [] : misfits(value, wanted);
  return first === undefined
    ? "it is asked for a yes or a no: `true`, `false`"
    : describeMisfit(first);
}
