/** Writes the events of a run as lines for people who watch it. */
import type { RunEvent } from "../../../runtime/index.ts";
import type { Paint } from "../../paint.ts";
import { secondsText } from "../numbers.ts";

type Finished = RunEvent & { readonly kind: "attempt.finished" };

/** The line of an event; most have none. */
export function progressLine(event: RunEvent, paint: Paint): string | undefined {
  switch (event.kind) {
    case "attempt.started":
      return `${placeOf(event)} started${againText(event)}`;
    case "attempt.finished":
      return finishedLine(event, paint);
    case "interrupt.opened":
      return `${placeOf(event)} asks: ${event.question}`;
    case "interrupt.answered":
      return `${placeOf(event)} is told: ${event.answer.kind} (${event.by ?? event.from})`;
    case "run.resumed":
      return "resumed";
    default:
      return undefined;
  }
}

/** `go#1 › search#2` */
function placeOf({ path = [], label, node }: RunEvent & NodeOf): string {
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

function finishedLine(event: Finished, paint: Paint): string {
  const { status, durationMs } = event;
  const label = placeOf(event);
  const time = secondsText(durationMs);
  if (status === "ok") return `${label} ${paint("good", "succeeded")} ${time}`;
  if (status === "aborted") return `${label} stopped ${time}`;
  const failed = event.next === "skip" ? "skipped" : "failed";
  return `${label} ${paint("error", failed)} ${time}${reasonText(event)}${nextText(event)}`;
}

function reasonText({ failure }: Finished): string {
  return failure === undefined ? "" : ` ${failure.code}: ${failure.message}`;
}

function nextText({ next, notBefore, at }: Finished): string {
  if (next === "repair") return "; the model is told";
  if (next !== "retry") return "";
  const wait = (notBefore ?? at) - at;
  return wait > 0 ? `; next try in ${secondsText(wait)}` : "; next try at once";
}
