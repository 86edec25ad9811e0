/** What a debugging session shows, as text. */
import type { Breakpoint, DebugFrame, Debugger, GraphRun, Stop } from "../../../runtime/index.ts";
import { answerForms } from "../../read-answer.ts";

/** Values longer than this are cut. */
const VALUE_CHARACTERS = 400;

/** Where a run has come to and why, in one or a few lines. */
export function stopText(debug: Debugger, stop: Stop): string {
  const { run } = debug;
  switch (stop.kind) {
    case "end":
      return endText(run, stop.status);
    case "interrupt":
      return questionsText(run);
    case "pause":
      return stop.reason === "step" ? lastText(debug) : `held: ${stop.reason}`;
    case "breakpoint": {
      const why = stop.by === undefined ? "" : `, ${stop.by}`;
      const at = placeText(debug.frames[0]);
      return `breakpoint ${stop.when} ${stop.node} (attempt ${stop.attempt}${why})${at}`;
    }
  }
}

/** The last step, and what it changed. */
export function lastText(debug: Debugger): string {
  const last = debug.run.position.walked.at(-1);
  if (last === undefined) return "at the start: nothing has run";
  const path = (last.path ?? []).map((label) => `${label} › `).join("");
  const changes = changesText(debug.values("Last changes"));
  return `step ${last.step} ${path}${last.node}${changes === "" ? "" : `\n${changes}`}`;
}

function endText(run: GraphRun, status: string): string {
  if (status !== "succeeded") {
    const { code, message } = run.failure ?? { code: "", message: run.reason ?? "" };
    return `${status}: ${code} ${message}`.replace("  ", " ").trimEnd();
  }
  return `succeeded after ${run.steps.length} steps`;
}

/** What a run waits for, and what may be typed. */
export function questionsText(run: GraphRun): string {
  const { interrupts } = run;
  if (interrupts.length === 0) return "nothing is asked";
  return interrupts
    .map(
      (one) =>
        `${one.node || "the run"} asks (${one.id}): ${one.question}\n  answer ${one.id} ${answerForms(one)}`,
    )
    .join("\n");
}

/** One value a line. */
export function changesText(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .map(([name, value]) => `  ${name} = ${valueText(value)}`)
    .join("\n");
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

/** Who wrote a part of the state, what that could read, and all that could have had a part in it. */
export function blameText(debug: Debugger, path: string): string {
  const { by, step, node, value, inputs, heard } = debug.blame(path);
  const who = by === "commit" ? `step ${step} ${node}` : (BY[by] ?? by);
  const read = Object.entries(inputs).map(
    ([field, steps]) => `${field} (step ${steps.join(", ")})`,
  );
  const said = heard.map((sender) => `a message of step ${sender}`);
  return [
    `${who}: ${valueText(value)}`,
    ...(read.length + said.length === 0 ? [] : [`  could read ${[...read, ...said].join(", ")}`]),
    ...(step === undefined ? [] : [`  comes of steps ${debug.slice(path).join(", ")}`]),
  ].join("\n");
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
