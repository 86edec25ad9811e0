/** Writes the turns of agents as text: a line for each thing, the newest ones where there are many. */
import type { SessionItem } from "../../../runtime/index.ts";
import { durationText } from "../numbers.ts";
import { counted, cut, visible, visibleLine } from "../visible.ts";
import { diffCounts } from "./diff-html.ts";
import { aboutInput, verbOf } from "./item-html.ts";
import { factsOf, planSign } from "./session-html.ts";
import type { ShownTurn } from "./shown-turn.ts";

export function turnsText(turns: readonly ShownTurn[], itemsMax: number): string {
  return turns.map((turn) => turnText(turn, itemsMax)).join("\n\n");
}

function turnText(turn: ShownTurn, itemsMax: number): string {
  const shown = turn.items.slice(-itemsMax);
  const left = turn.left + turn.items.length - shown.length;
  const { plan = [], saying } = turn;
  return [
    `${[turn.label, turn.status, ...factsOf(turn)].map((one) => visibleLine(one)).join(" · ")}`,
    ...plan.map(({ text, status }) => `  ${planSign(status)} ${cut(visibleLine(text), 200)}`),
    ...(left === 0 ? [] : [`  … ${counted(left, "earlier item")}`]),
    ...shown.map((item) => indented(itemText(item))),
    ...(saying === "" ? [] : [indented(`${saying.slice(-400)}▍`)]),
  ].join("\n");
}

function itemText(item: SessionItem): string {
  switch (item.kind) {
    case "instruction":
      return `the task: ${cut(item.text, 400)}`;
    case "steer":
      return `a person: ${cut(item.text, 400)}`;
    case "text":
      return cut(item.text, 2_000);
    case "call": {
      const { tool, input, status, durationMs, error } = item;
      const took = durationMs === undefined ? "" : ` · ${durationText(durationMs)}`;
      const why = error === undefined ? "" : `: ${cut(error, 200)}`;
      return `${tool} ${aboutInput(input)} · ${status}${took}${why}`;
    }
    case "file": {
      const { added, removed } = diffCounts(item.text ?? "");
      const counts = item.isDiff ? ` +${added} −${removed}` : "";
      return `${verbOf(item)}${item.name}${counts}`;
    }
    case "plan": {
      const done = item.steps.filter(({ status }) => status === "completed").length;
      return `plan: ${done} of ${counted(item.steps.length, "step")} done`;
    }
    case "question": {
      const { tool, message = "", input, status } = item;
      const about = [tool, aboutInput(input)].filter(Boolean).join(" ");
      const what = message === "" ? `may it call ${about}?` : message;
      return `asks: ${what} · ${status}`;
    }
    case "note":
      return cut(item.text, 400);
    case "error":
      return `failed: ${cut(item.text, 2_000)}`;
  }
}

function indented(text: string): string {
  return visible(text)
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
}
