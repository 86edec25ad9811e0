/** Writes who of several persons has said yes, when a question closes by itself, and what follows then. */
import { type Interrupt, redaction } from "../../runtime/index.ts";
import { timeText } from "./numbers.ts";
import { cut, visibleLine } from "./visible.ts";

const ANSWER_CHARACTERS = 200;

/**
 * `open until 2026-01-01 12:00:00 UTC; then the answer is "nobody"`, before it who did not answer; nothing of a question
 * that waits for one person alone. Of several persons, who must say yes, and who has.
 */
export function expiryText(
  interrupt: Interrupt,
  run: redaction.Showing & { readonly id: string },
): string | undefined {
  const { expiresAt, to, passed = [], agreed = [], declined = [] } = interrupt;
  const unanswered = passed.flatMap(({ to: whom, until }, index) => {
    const next = index + 1 < passed.length ? passed[index + 1] : { to };
    // Who was only reminded is told of once, at the last reminder.
    const isReminded = next?.to === whom;
    if (isReminded && index + 1 < passed.length) return [];
    const again = isReminded ? `, and is asked again` : "";
    return [`${nameOf(whom)} did not answer until ${timeText(until)} UTC${again}`];
  });
  const isOther = passed.length > 0 && passed.at(-1)?.to !== to;
  const asked = isOther ? [`${nameOf(to)} is asked now`] : [];
  const end =
    expiresAt === undefined
      ? []
      : [`open until ${timeText(expiresAt)} UTC; then ${consequence(interrupt, run)}`];
  const saidTexts = [
    ...agreed.map(({ as, at }) => `${nameOf(as)} said yes at ${timeText(at)} UTC`),
    ...declined.map(({ as, at }) => `${nameOf(as)} said no at ${timeText(at)} UTC`),
  ];
  const parts = [...whomText(interrupt), ...saidTexts, ...unanswered, ...asked, ...end];
  return parts.length === 0 ? undefined : parts.join("; ");
}

/** `each must say yes: ann, bob`, or `2 of 3 must say yes: …`; of an approval also the one person who is named. */
function whomText({
  kind,
  to,
  passed,
  among = [],
  need = among.length,
}: Interrupt): readonly string[] {
  if (among.length === 0) {
    const isNamed = to !== undefined && passed === undefined;
    return isNamed && (kind === "approval" || kind === "review") ? [`${nameOf(to)} is asked`] : [];
  }
  const count = need === among.length ? "each" : `${need} of ${among.length}`;
  return [`${count} must say yes: ${among.map(nameOf).join(", ")}`];
}

function nameOf(person: string | undefined): string {
  return person === undefined ? "who was asked" : cut(visibleLine(person), ANSWER_CHARACTERS);
}

function consequence(
  interrupt: Interrupt,
  run: redaction.Showing & { readonly id: string },
): string {
  const [next] = interrupt.then ?? [];
  if (next !== undefined)
    return `${nameOf(next.to)} is asked${next.to === interrupt.to ? " again" : ""}`;
  if (interrupt.default !== undefined) {
    const answer = JSON.stringify(redaction.shownValue(interrupt.default, run)) ?? "";
    return `the answer is ${cut(visibleLine(answer), ANSWER_CHARACTERS)}`;
  }
  if (interrupt.tool !== undefined) return "it is denied, and the model is told so";
  const [no, on] =
    interrupt.kind === "limit" ? ["the limit holds", "limit"] : ["it is denied", "deny"];
  // A called graph is another one than `run.ir`.
  if (interrupt.node === "" || isOfCalledGraph(interrupt, run.id)) return no;
  return leadsOn(interrupt.node, on, run)
    ? `${no}, and the arrow \`on ${on}\` of \`${interrupt.node}\` leads on`
    : `${no}, and no arrow \`on ${on}\` leads on from \`${interrupt.node}\``;
}

function isOfCalledGraph({ nodeRunId }: Interrupt, runId: string): boolean {
  return nodeRunId.slice(runId.length + 1).includes("/");
}

function leadsOn(node: string, on: string, { ir }: redaction.Showing): boolean {
  return ir.edges.some(
    (edge) => edge.on === on && edge.from.kind !== "start" && edge.from.nodes.includes(node),
  );
}
