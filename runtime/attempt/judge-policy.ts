/** Calls the function of `approve … by NAME`, which judges a call before a person is asked. */
import { lookUp, type Scope } from "../agents/scope/scope.ts";
import { RunError } from "../failure.ts";
import type { Interrupt } from "../interrupt.ts";
import type { Answerer } from "../questions/auto-answers.ts";

/**
 * Asks the function that the question names: true or `approve` lets it pass, false or `deny` does not, an `Answer` says
 * more; nothing, or `ask`, leaves it to people. A name that is no function judges nothing: then a person is asked (L12).
 */
export function policyJudge(scope: () => Scope): Answerer {
  return async (interrupt) => {
    const { by } = interrupt;
    const policy = by === undefined ? undefined : lookUp(by.split("."), scope())?.value;
    if (by === undefined || typeof policy !== "function") return undefined;
    const policyResult: unknown = await Reflect.apply(policy, undefined, [interrupt]);
    const answer = verdict(policyResult, interrupt);
    return answer === undefined ? { leaves: true, by } : { answer, from: "policy", by };
  };
}

function verdict(answer: unknown, { id, by }: Interrupt): unknown {
  switch (answer) {
    case undefined:
    case null:
    case "ask":
      return undefined;
    case true:
    case "approve":
      return { kind: "approve" };
    case false:
    case "deny":
      return { kind: "deny", reason: `\`${by}\` says no` };
  }
  if (typeof answer === "object") return answer;
  throw new RunError("M5312", `\`${by}\` says ${JSON.stringify(answer)} to \`${id}\``, {
    hint: 'a policy gives true, false, "ask", or an answer like { kind: "deny", reason: "…" }',
  });
}
