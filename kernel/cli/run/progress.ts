/** Writes the events of a run as lines for people who watch it. */
import type { RunEvent } from "../../../runtime/index.ts";
import { progressText } from "../../display/run/run-lines.ts";
import { visibleLine } from "../../display/visible.ts";
import type { Painter } from "../../paint.ts";
import { secondsText } from "../numbers.ts";

type FinishedNodeRun = RunEvent & { readonly kind: "attempt.finished" };

/** The line of an event; most have none. */
export function progressLine(event: RunEvent, paint: Painter): string | undefined {
  switch (event.kind) {
    case "attempt.started":
      return `${nodeRunPath(event)} started${againText(event)}`;
    case "attempt.finished":
      return finishedLine(event, paint);
    case "tool.progress":
      return visibleLine(`${nodeRunPath(event)} ${progressText(event)}`);
    case "interrupt.opened":
      return `${nodeRunPath(event)} ${saidText(event)}asks: ${event.question}`;
    case "interrupt.answered": {
      const { answer, by, from } = event;
      const whose = answer.as === undefined ? "" : `, as ${visibleLine(answer.as)}`;
      return `${nodeRunPath(event)} is told: ${answer.kind} (${by ?? from}${whose})`;
    }
    case "run.resumed":
      return "resumed";
    default:
      return undefined;
  }
}

/** The answer and the name of the one of several persons behind whom others are still asked. */
function saidText({
  agreed,
  declined,
  at,
}: RunEvent & { readonly kind: "interrupt.opened" }): string {
  const [yes, no] = [agreed?.at(-1), declined?.at(-1)];
  if (yes?.at === at) return `is told: yes (as ${visibleLine(yes.as)}), and `;
  return no?.at === at ? `is told: no (as ${visibleLine(no.as)}), and ` : "";
}

const PROGRESS_MS = 1_000;

/** Servers tell of their progress as often as they like: returns what says whether it is time for another line of a node run. */
export function paceProgress(
  now: () => number,
): (event: RunEvent & { readonly kind: "tool.progress" }) => boolean {
  const lastAt = new Map<string, number>();
  return (event) => {
    const of = nodeRunPath(event);
    const at = now();
    if (at - (lastAt.get(of) ?? Number.NEGATIVE_INFINITY) < PROGRESS_MS) return false;
    lastAt.set(of, at);
    return true;
  };
}

/** `go#1 › search#2` */
function nodeRunPath({ path = [], label, node }: RunEvent & NodeOf): string {
  // A limit of the whole run is no node's.
  return [...path, ...(node === "" ? [] : [label])].join(" › ") || "the run";
}

interface NodeOf {
  readonly label: string;
  readonly node: string;
}

function againText({ reason, attempt }: RunEvent & { readonly kind: "attempt.started" }): string {
  return reason === "first" ? "" : ` again (${reason}, attempt ${attempt})`;
}

function finishedLine(event: FinishedNodeRun, paint: Painter): string {
  const { status, durationMs } = event;
  const label = nodeRunPath(event);
  const time = secondsText(durationMs);
  if (status === "ok") return `${label} ${paint("good", "succeeded")} ${time}`;
  if (status === "aborted") return `${label} stopped ${time}`;
  const failed = event.next === "skip" ? "skipped" : "failed";
  return `${label} ${paint("error", failed)} ${time}${reasonText(event)}${nextText(event)}`;
}

function reasonText({ failure }: FinishedNodeRun): string {
  return failure === undefined ? "" : ` ${failure.code}: ${failure.message}`;
}

function nextText({ next, notBefore, at }: FinishedNodeRun): string {
  if (next === "repair") return "; the model is told";
  if (next !== "retry") return "";
  const wait = (notBefore ?? at) - at;
  return wait > 0 ? `; next try in ${secondsText(wait)}` : "; next try at once";
}
