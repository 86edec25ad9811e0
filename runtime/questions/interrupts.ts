/** Shows the open questions of a run, and checks what is answered. */

import type { JsonSchema } from "../../dsl/index.ts";
import { RunError } from "../failure.ts";
import { type Answer, factsOf, type Interrupt } from "../interrupt.ts";
import { shortRunId } from "../run-names.ts";
import { type Located, locate, nodeRunPlace } from "../scheduler/called-snapshots.ts";
import { openInterrupts } from "../scheduler/interrupts.ts";
import type { Program } from "../scheduler/program/program.ts";
import { misfitOfPerson } from "../scheduler/several-persons.ts";
import type { OpenInterrupt, Snapshot } from "../scheduler/snapshot/snapshot.ts";
import { describeMisfit, misfits } from "../state/json-schema.ts";

/** Every question that waits for an answer. */
export function interruptsOf(
  runId: string,
  program: Program,
  snapshot: Snapshot,
): readonly Interrupt[] {
  return openInterrupts(snapshot).map(({ question }) => {
    return toInterrupt(runId, question, locate(program, snapshot, question.id));
  });
}

/** One question as people see it: with the place of its node run in the whole run, and what its node is called now. */
export function toInterrupt(
  runId: string,
  open: OpenInterrupt,
  located: Located | undefined,
): Interrupt {
  const { interrupt: id, ask: kind, attempt, question } = open;
  const { editSchema } = open;
  const place = located === undefined ? open.key : nodeRunPlace(located);
  const node = located?.program.nodes[located.run.node]?.ir.name ?? open.node;
  return Object.freeze({
    id,
    kind,
    node,
    nodeRunId: place === "" ? runId : `${runId}/${place}`,
    attempt,
    question,
    ...factsOf(open),
    ...(editSchema === undefined ? {} : { editSchema }),
    ...(open.default === undefined ? {} : { default: open.default }),
  });
}

/** The kinds of answers that each kind of question takes. */
export const ANSWERS: Readonly<Record<Interrupt["kind"], readonly Answer["kind"][]>> = {
  approval: ["approve", "deny", "edit", "revise"],
  review: ["approve", "deny", "edit", "revise"],
  ensure: ["approve", "deny", "edit", "revise"],
  limit: ["approve", "deny"],
  doubt: ["value", "approve", "deny"],
  input: ["value", "deny"],
  select: ["value", "deny"],
  edit: ["value", "approve", "edit", "deny"],
  question: ["value", "approve", "edit", "revise", "deny"],
};

/** Returns the reason why an answer of a person does not fit; undefined where it fits. */
export function misfitOfSaid(interrupt: Interrupt, answer: Answer): string | undefined {
  return (
    misfitOfPerson({ ...interrupt, ask: interrupt.kind }, answer) ?? misfitOf(interrupt, answer)
  );
}

/** Returns the reason why an answer does not fit, whoever gives it; undefined where it fits. */
export function misfitOf(interrupt: Interrupt, answer: Answer): string | undefined {
  const kinds = answersTo(interrupt);
  if (!kinds.includes(answer.kind)) {
    return `it takes ${kinds.map((kind) => `\`${kind}\``).join(", ")}, not \`${String(answer.kind)}\``;
  }
  if (interrupt.kind === "doubt" && answer.remember !== undefined && answer.remember !== "call") {
    return "whether one call happened says nothing of another one, so it is not remembered";
  }
  if (answer.kind === "revise" && typeof answer.text !== "string") return "`revise` needs a `text`";
  if (interrupt.kind === "edit" && answer.kind === "approve") return misfit(true, interrupt.schema);
  if (answer.kind === "value") return misfit(answer.value, interrupt.schema);
  if (answer.kind === "edit") {
    return misfit(answer.value, interrupt.editSchema ?? interrupt.schema);
  }
  return undefined;
}

function misfit(value: unknown, schema: JsonSchema | undefined): string | undefined {
  const [first] = schema === undefined ? [] : misfits(value, schema);
  return first === undefined ? undefined : describeMisfit(first);
}

/** `revise` goes to what can be done again: an output, or a tool call that the model thinks over. */
function answersTo({ kind, tool }: Interrupt): readonly Answer["kind"][] {
  const kinds = ANSWERS[kind];
  const isBefore = kind === "approval" && tool === undefined;
  return isBefore ? kinds.filter((one) => one !== "revise") : kinds;
}

/** An answer as somebody wrote it: an `Answer`, or what it plainly means: yes, no, a value. */
export function toAnswer(interrupt: Interrupt, given: unknown): Answer {
  if (isAnswer(given)) return given;
  const isYesOrNo = !ANSWERS[interrupt.kind].includes("value");
  if (isYesOrNo && given === true) return { kind: "approve" };
  if (isYesOrNo && given === false) return { kind: "deny" };
  const isEdit =
    interrupt.kind === "edit" && misfit(given, interrupt.schema ?? NOTHING) !== undefined;
  return { kind: isEdit ? "edit" : "value", value: given };
}

/** The schema for a node that writes nothing: no value fits, so that an answer stands for the shown value. */
const NOTHING: JsonSchema = { enum: [] };

function isAnswer(given: unknown): given is Answer {
  if (typeof given !== "object" || given === null || !("kind" in given)) return false;
  const members = MEMBERS[given.kind as Answer["kind"]];
  return (
    members !== undefined &&
    Object.keys(given).every((name) => members.includes(name)) &&
    (members[0] === undefined || members[0] in given || given.kind === "deny")
  );
}

const MEMBERS: Readonly<Record<Answer["kind"], readonly string[]>> = {
  value: ["value", "kind", "remember", "as"],
  approve: ["kind", "remember", "as"],
  deny: ["reason", "kind", "remember", "as"],
  edit: ["value", "kind", "remember", "as"],
  revise: ["text", "kind", "remember", "as"],
};

// ── what is wrong ───────────────────────────────────────────────────────────────────────────────

/** An answer to what nobody asks (any more). */
export function nothingAsked(runId: string, id: string, open: readonly Interrupt[]): RunError {
  const asked = open.map((one) => `\`${one.id}\``).join(", ");
  return new RunError(
    "M5310",
    `run \`${shortRunId(runId)}\` does not wait for an answer to \`${id}\``,
    {
      hint:
        asked === ""
          ? "it may have been answered already; nothing is asked now"
          : `it waits for ${asked}`,
      runId,
    },
  );
}

/** An answer that a question does not take; the question stays open. */
export function unfitting(runId: string, interrupt: Interrupt, misfit: string): RunError {
  const { id, node, question } = interrupt;
  return new RunError("M5311", `the answer to \`${id}\` does not fit: ${misfit}`, {
    hint: `\`${node}\` asks: ${question}`,
    runId,
    node,
  });
}

/** A run that waits while nobody is there to answer. */
export function nobodyAnswers(
  runId: string,
  open: readonly Interrupt[],
  causes: readonly unknown[],
): RunError {
  const asked = open.map(({ id, question }) => `\`${id}\` (${shortened(question)})`).join(", ");
  const [first] = open;
  const how = first === undefined ? "" : `: run.${answerCall(first)}`;
  const why = causes.map((cause) => (cause instanceof Error ? `; ${cause.message}` : "")).join("");
  return new RunError("M5301", `run \`${shortRunId(runId)}\` waits for an answer: ${asked}${why}`, {
    hint: `answer it${how}, or start it with \`answers\``,
    runId,
    node: first?.node,
    ...(causes.length === 0 ? {} : { cause: causes[0] }),
  });
}

/** In one line: a question may have several. */
function shortened(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}

/** Returns the call in TypeScript that answers the question, behind `run.`. */
export function answerCall({ id, kind, options }: Interrupt): string {
  const value = options === undefined ? "…" : JSON.stringify(options[0]);
  const answer = ANSWERS[kind].includes("value")
    ? `{ kind: "value", value: ${value} }`
    : '{ kind: "approve" }';
  return `answer("${id}", ${answer})`;
}
