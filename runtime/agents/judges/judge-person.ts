/** Asks a person about a condition in words where no model judges it (L12). */
import type { Answer, Question } from "../../interrupt.ts";
import type { Judgement, PerformerContext } from "../../performer.ts";
import type { Verdict } from "../../records/directions.ts";

/** Asks whether a condition holds of what an attempt came to; whoever does not say yes says no. */
export async function judgedByPerson(
  { question: { condition }, attempt, output }: Judgement,
  context: Pick<PerformerContext, "ask">,
): Promise<Verdict> {
  if (condition === undefined) return { met: false, reason: "nobody chose the wait" };
  return verdictOf(await context.ask(questionOf(condition, attempt.node.name, output)));
}

function questionOf(condition: string, node: string, output: unknown): Question {
  return {
    ask: "select",
    question: `\`${node}\`: does this hold now? “${condition}”`,
    schema: { type: "boolean" },
    options: [true, false],
    shown: output ?? null,
  };
}

function verdictOf(answer: Answer): Verdict {
  switch (answer.kind) {
    case "approve":
      return { met: true, reason: "a person says that it holds" };
    case "value":
    case "edit":
      return answer.value === true
        ? { met: true, reason: "a person says that it holds" }
        : { met: false, reason: "a person says that it does not hold" };
    case "deny":
      return { met: false, reason: answer.reason ?? "a person says that it does not hold" };
    case "revise":
      return { met: false, reason: answer.text };
  }
}
