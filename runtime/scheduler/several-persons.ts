/** Counts the persons who must say yes to a question, all of them or as many as it needs. */
import type { Answer } from "../interrupt.ts";
import type { AnswerRecord, InterruptRecord } from "../records/records.ts";
import type { OpenInterrupt } from "./snapshot/snapshot.ts";

/** Tells whether an answer says yes to what is asked. */
function isYes(answer: Answer): boolean {
  return answer.kind === "approve" || (answer.kind === "value" && answer.value === true);
}

function isNo(answer: Answer): boolean {
  return answer.kind === "deny" || (answer.kind === "value" && answer.value === false);
}

/** Returns why several persons do not take an answer of one of them; undefined where they do. */
export function misfitOfPerson(
  {
    among,
    agreed = [],
    declined = [],
    ask,
  }: Pick<OpenInterrupt, "among" | "agreed" | "declined" | "ask">,
  { as, kind, remember = "call" }: Answer,
): string | undefined {
  if (among === undefined) return undefined;
  const names = among.map((name) => `\`${name}\``).join(", ");
  if (as === undefined) return `it must say who of ${names} answers: \`as NAME: yes\``;
  if (!among.includes(as)) return `it is for ${names}, not for \`${as}\``;
  if (agreed.some((one) => one.as === as))
    return `\`${as}\` has said yes already, and somebody else must`;
  if (declined.some((one) => one.as === as))
    return `\`${as}\` has said no already, and somebody else must say yes`;
  if (remember !== "call") return "what several persons say is not remembered";
  // Who edits what a node asks is asked anew with all others; an approval would hold for what only one of them has seen.
  return kind === "edit" && ask !== "edit"
    ? "several persons approve what is shown as it is, or deny it"
    : undefined;
}

/** Returns the question once more, with a yes or no behind which others are still asked; undefined where the answer decides. */
export function agreement(
  question: OpenInterrupt,
  given: Pick<AnswerRecord, "answer" | "from" | "by">,
  at: number,
): InterruptRecord | undefined {
  const { among = [], need = among.length, agreed = [], declined = [] } = question;
  const { answer, by } = given;
  const { as } = answer;
  // A script that names nobody answers for all of them.
  if (as === undefined) return undefined;
  const one = { as, at, ...(by === undefined ? {} : { by }) };
  const again = { ...question, kind: "interrupt", given } as const;
  if (isYes(answer) && agreed.length + 1 < need) return { ...again, agreed: [...agreed, one] };
  if (isNo(answer) && among.length - declined.length - 1 >= need)
    return { ...again, declined: [...declined, one] };
  return undefined;
}
