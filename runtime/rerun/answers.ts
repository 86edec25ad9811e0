/** Answers that people gave to the run that is run again: the same question of the same node is answered as it was. */
import type { Interrupt } from "../interrupt.ts";
import type { Answerer } from "../questions/auto-answers.ts";
import { isJsonEqual } from "../state/json.ts";
import type { RunMeta } from "../store/run-store.ts";
import type { RecordedAnswer, RecordedRun } from "./recorded-types.ts";

/** Each recorded answer is given once; `anew` nodes are asked again. */
export function recordedAnswers(
  recorded: () => RecordedRun | undefined,
  { rerunOf }: Pick<RunMeta, "rerunOf">,
): Answerer {
  const given = new Set<RecordedAnswer>();
  return async (interrupt) => {
    const { meta, answers } = recorded() ?? {};
    const isAnew = rerunOf?.anew?.includes(interrupt.node) === true;
    if (meta === undefined || answers === undefined || isAnew) return undefined;
    const same = answers.filter((one) => !given.has(one) && isSame(one, interrupt));
    const at = interrupt.nodeRunId.slice(interrupt.nodeRunId.indexOf("/") + 1);
    const found = same.find(({ place }) => place === at) ?? same[0];
    if (found === undefined) return undefined;
    given.add(found);
    return { answer: found.answer.answer, from: "policy", by: `run ${meta.runId}` };
  };
}

/**
 * Returns whether a recorded answer fits a question. Answers by expiry, and those about a call in doubt, fit no other
 * question.
 */
function isSame({ interrupt, answer }: RecordedAnswer, asked: Interrupt): boolean {
  if (answer.from === "expiry" || asked.kind === "doubt") return false;
  const { node, ask, question, limit, tool, shown, options, among, need } = interrupt;
  return (
    node === asked.node &&
    ask === asked.kind &&
    question === asked.question &&
    limit === asked.limit &&
    tool === asked.tool &&
    isJsonEqual(shown ?? null, asked.shown ?? null) &&
    isJsonEqual(options ?? null, asked.options ?? null) &&
    isJsonEqual(among ?? null, asked.among ?? null) &&
    need === asked.need
  );
}
