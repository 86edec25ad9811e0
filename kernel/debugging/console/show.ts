/** Writes what a debugging session shows as text. */
import {
  type Breakpoint,
  type DebugFrame,
  type Debugger,
  type DrivenRun,
  redaction,
  type Stop,
} from "../../../runtime/index.ts";
import { expiryText } from "../../display/expiry-text.ts";
import { counted } from "../../display/visible.ts";
import { plain } from "../../paint.ts";
import { answerForms } from "../../read-answer.ts";

/** Values longer than this are cut. */
const VALUE_CHARACTERS = 400;

/** Returns the place and the cause of a stop, in one or a few lines. */
export function stopText(debug: Debugger, stop: Stop, paint = plain): string {
  const { run } = debug;
  switch (stop.kind) {
    case "end":
      return paint(stop.status === "succeeded" ? "good" : "error", endText(run, stop.status));
    case "interrupt":
      return questionsText(run);
    case "pause":
      return stop.reason === "step" ? lastText(debug, paint) : `held: ${stop.reason}`;
    case "breakpoint": {
      const why = stop.by === undefined ? "" : `, ${stop.by}`;
      const at = paint("quiet", placeText(debug.frames[0]));
      const held = `breakpoint ${stop.when} ${stop.node} (attempt ${stop.attempt}${why})`;
      return `${paint("title", held)}${at}`;
    }
  }
}

/** The last step, and what it changed. */
export function lastText(debug: Debugger, paint = plain): string {
  const last = debug.run.position.last;
  if (last === undefined) return paint("title", "at the start: nothing has run");
  const changes = changesText(debug, debug.values("Last changes"));
  return `${paint("title", stepText(debug))}${changes === "" ? "" : `\n${changes}`}`;
}

/** Returns the status and the step of a run, in one line. */
export function statusText(debug: Debugger): string {
  const { run } = debug;
  return `${run.status}, ${stepText(debug)}`;
}

function stepText({ run }: Debugger): string {
  const last = run.position.last;
  if (last === undefined) return "at the start";
  const path = (last.path ?? []).map((label) => `${label} › `).join("");
  return `step ${last.step} ${path}${last.node}`;
}

function endText(run: DrivenRun, status: string): string {
  if (status !== "succeeded") {
    const { code, message } = redaction.shownValue(run.failure, run) ?? {
      code: "",
      message: run.reason ?? "",
    };
    const why = `${status}: ${code} ${message}`.replace("  ", " ").trimEnd();
    return `${why}\n  \`rewind STEP\` goes back to before it, \`fork STEP\` leaves it as it is`;
  }
  return `succeeded after ${counted(run.stepCount, "step")}`;
}

/** Returns the open questions of a run as text, each with the command that answers it. */
export function questionsText(run: DrivenRun): string {
  const { interrupts } = run;
  if (interrupts.length === 0) return "nothing is asked";
  return redaction
    .shownValue(interrupts, run)
    .flatMap((one) => {
      const expiry = expiryText(one, run);
      return [
        `${one.node || "the run"} asks (${one.id}): ${one.question}`,
        ...(expiry === undefined ? [] : [`  ${expiry}`]),
        `  answer ${one.id} ${answerForms(one)}`,
      ];
    })
    .join("\n");
}

/** One value a line, without what is nobody's to see. */
export function changesText(debug: Debugger, values: Readonly<Record<string, unknown>>): string {
  return Object.entries(redaction.shownValue(values, debug.run))
    .map(([name, value]) => `  ${name} = ${valueText(value)}`)
    .join("\n");
}

/** A value of a run, without what is nobody's to see. */
export function shownText({ run }: Debugger, value: unknown): string {
  return valueText(redaction.shownValue(value, run));
}

/** JSON, cut where it is long. */
export function valueText(value: unknown): string {
  const text = JSON.stringify(value) ?? "(not written)";
  if (text.length <= VALUE_CHARACTERS) return text;
  return `${text.slice(0, VALUE_CHARACTERS)}… (${text.length} characters)`;
}

export function framesText(frames: readonly DebugFrame[]): string {
  return frames
    .map((frame) => `${frame.id}  ${frame.kind} ${frame.name}${placeText(frame)}`)
    .join("\n");
}

function placeText(frame: DebugFrame | undefined): string {
  return frame?.at === undefined ? "" : `  ${frame.at.file}:${frame.at.line}`;
}

/**
 * Returns the writer of a part of the state as text, with the steps that the writer could read and
 * all that may have contributed.
 */
export function blameText(debug: Debugger, path: string): string {
  const { by, step, node, value, inputs, senderSteps: senders } = debug.blame(path);
  const who = by === "commit" ? `step ${step} ${node}` : (BY[by] ?? by);
  const read = Object.entries(inputs).map(
    ([field, steps]) => `${field} (step ${steps.join(", ")})`,
  );
  const messageTexts = senders.map((sender) => `a message of step ${sender}`);
  return [
    `${who}: ${shownText(debug, value)}`,
    ...(read.length + messageTexts.length === 0
      ? []
      : [`  could read ${[...read, ...messageTexts].join(", ")}`]),
    ...(step === undefined ? [] : [`  comes of steps ${numbersText(debug.slice(path))}`]),
  ].join("\n");
}

/** `1, 2, 5 to 900`: what is long is told by where it begins and ends. */
function numbersText(numbers: readonly number[]): string {
  const runs: number[][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last?.at(-1) === number - 1) last.push(number);
    else runs.push([number]);
  }
  const texts = runs.map((run) => (run.length > 3 ? `${run[0]} to ${run.at(-1)}` : run.join(", ")));
  return texts.length > LINES_MAX
    ? `${texts.slice(0, LINES_MAX).join(", ")} … (${numbers.length})`
    : texts.join(", ");
}

/** More than a screen is never shown unasked. */
const LINES_MAX = 40;

/** The steps of these numbers, one a line, the last ones of many. */
export function stepsText({ run }: Debugger, numbers: readonly number[], most = LINES_MAX): string {
  const shown = numbers.slice(-most);
  const lines = shown.map((step) => `${step}  ${run.steps[step - 1]?.node ?? ""}`);
  const left = numbers.length - shown.length;
  return [...(left > 0 ? [`… ${left} earlier`] : []), ...lines].join("\n");
}

const BY: Readonly<Record<string, string>> = {
  edit: "a person",
  start: "the start of the run",
  end: "the end of the run",
  attempt: "a failed attempt",
  item: "an item of a stream",
};

/** A breakpoint as one would type it. */
export function breakpointText(breakpoint: Breakpoint): string {
  if (typeof breakpoint === "string") return `break ${breakpoint}`;
  const more = [
    ...(breakpoint.if === undefined ? [] : [`if ${breakpoint.if}`]),
    ...(breakpoint.hits === undefined ? [] : [`hits ${breakpoint.hits}`]),
  ];
  return [whatText(breakpoint), ...more].join(" ");
}

function whatText(breakpoint: Exclude<Breakpoint, string>): string {
  if ("edge" in breakpoint) return `break ${breakpoint.edge}`;
  if ("watch" in breakpoint) return `watch ${breakpoint.watch}`;
  if ("costAbove" in breakpoint) return `cost ${breakpoint.costAbove}`;
  if ("on" in breakpoint) {
    const { on, name, node } = breakpoint;
    const of = node === undefined ? [] : [`of ${node}`];
    return ["on", on, ...(name === undefined ? [] : [name]), ...of].join(" ");
  }
  return `break ${breakpoint.when === "after" ? "after " : ""}${breakpoint.node}`;
}
