/** Reads `--answers`: what to answer to the questions of nodes, in the words of `madrigal answer`. */
import { nearest, PLAN_GRAPH } from "../../../../dsl/index.ts";
import type { Interrupt, RunOptions } from "../../../../runtime/index.ts";
import { CommandError } from "../../../command-error.ts";
import { readAnswer } from "../../../read-answer.ts";
import type { OpenedProgram } from "../../program.ts";

/**
 * Returns the option `answers` of a run. A text of `given` is read as a person's answer, any other JSON is the value.
 * Throws `CommandError` M7104 for a name that no node of the program has, nor may have by a plan.
 */
export function answersOption(
  given: Readonly<Record<string, unknown>>,
  { graphs, source }: OpenedProgram,
): Pick<RunOptions, "answers"> {
  if (Object.keys(given).length === 0) return {};
  const all = graphs.flatMap((ir) => [ir, ...(ir.graphs ?? [])]).flatMap(({ nodes }) => nodes);
  const known = [...new Set(all.map(({ name }) => name))];
  // The steps of a plan are nodes that only the run has.
  const takesPlans = all.some(({ call }) => call?.callee.join(".") === PLAN_GRAPH);
  for (const name of Object.keys(given)) {
    if (known.includes(name) || takesPlans) continue;
    const meant = nearest(name, known);
    throw new CommandError("M7104", `\`${source.file}\` has no node called \`${name}\``, {
      hint: meant === undefined ? `its nodes: ${known.join(", ")}` : `did you mean \`${meant}\`?`,
    });
  }
  const answers = (interrupt: Interrupt) => {
    // An answer given ahead is about whether to make a call, not about whether a call happened.
    if (interrupt.kind === "doubt" || !Object.hasOwn(given, interrupt.node)) return undefined;
    const answer = given[interrupt.node];
    return typeof answer === "string"
      ? readAnswer(answer, interrupt, { folder: process.cwd() })
      : answer;
  };
  return { answers };
}
