/** Shows the turns of agents as HTML of a bounded size: the newest things whole, older ones counted. */
import type { SessionItem, SessionTurn } from "../../../runtime/index.ts";
import { escapeMarkup } from "../escape.ts";
import { durationText, shortCount } from "../numbers.ts";
import { sourceText } from "../run/model-source.ts";
import { costText } from "../run/run-lines.ts";
import { counted, cut, visibleLine } from "../visible.ts";
import { badge, type ItemRoom, itemHtml } from "./item-html.ts";
import type { ShownTurn } from "./shown-turn.ts";

export interface SessionRoom extends ItemRoom {
  /** Characters of the HTML of all turns; the newest items have it first. */
  readonly html: number;
  /** Turns that are shown with their items. */
  readonly turns: number;
}

/** In a cell, where it is shown anew as it goes on. */
export const LIVE_ROOM: SessionRoom = { html: 60_000, turns: 8, characters: 1_200, lines: 60 };
/** Once, when it is looked at. */
export const READ_ROOM: SessionRoom = { html: 400_000, turns: 50, characters: 8_000, lines: 400 };
/** As a page of its own. */
export const PAGE_ROOM: SessionRoom = {
  html: 20_000_000,
  turns: 1_000,
  characters: 100_000,
  lines: 5_000,
};

const FRAME =
  "border:1px solid rgba(128,128,128,.4);border-radius:8px;padding:.4em .7em;margin:.4em 0;line-height:1.45";

export function turnsHtml(turns: readonly ShownTurn[], room: SessionRoom): string {
  const shown = turns.slice(-room.turns);
  const hidden = turns.length - shown.length;
  const more =
    hidden === 0 ? "" : `<div style="opacity:.75">… ${counted(hidden, "earlier node run")}</div>`;
  const share = Math.floor(room.html / Math.max(1, shown.length));
  const parts = shown.map((turn) => turnHtml(turn, { ...room, html: share }));
  return `<div class="madrigal-session mathjax_ignore">${more}${parts.join("")}</div>`;
}

function turnHtml(turn: ShownTurn, room: SessionRoom): string {
  const { saying, sign, status } = turn;
  const { items, left } = newest(turn, room);
  const earlier =
    left === 0
      ? ""
      : `<div style="opacity:.75;font-size:smaller">… ${counted(left, "earlier item")}</div>`;
  const live =
    saying === ""
      ? ""
      : `<div style="margin:.2em 0;white-space:pre-wrap;overflow-wrap:anywhere">${escapeMarkup(saying.slice(-room.characters))}▍</div>`;
  const alive =
    sign === undefined || status !== "working"
      ? ""
      : `<div style="opacity:.75;font-size:smaller">${escapeMarkup(cut(visibleLine(sign), 200))}</div>`;
  return `<div data-session="${escapeMarkup(turn.label)}" data-status="${status}" style="${FRAME}">${headHtml(turn)}${planHtml(turn)}${earlier}${items.join("")}${live}${alive}</div>`;
}

/** Returns the last items that there is room for, and how many there were before. */
function newest(turn: ShownTurn, room: SessionRoom): { items: readonly string[]; left: number } {
  const items: string[] = [];
  let used = 0;
  for (let at = turn.items.length - 1; at >= 0; at -= 1) {
    const item = turn.items[at];
    if (item === undefined) continue;
    // The place in the whole session, which does not change when earlier items are dropped.
    const html = placedHtml(item, itemHtml(item, `${turn.nodeRun}-${turn.left + at}`, room));
    used += html.length;
    if (used > room.html) break;
    items.unshift(html);
  }
  return { items, left: turn.left + turn.items.length - items.length };
}

/** Says where its bytes stand in what the agent's program printed. */
function placedHtml({ raw, attempt }: SessionItem, html: string): string {
  if (raw === undefined || raw[1] <= raw[0]) return html;
  return `<div title="bytes ${raw[0]} to ${raw[1]} of attempt ${attempt}">${html}</div>`;
}

const STATUS = {
  working: ["working", "open"],
  asking: ["asks", "open"],
  done: ["done", "good"],
  failed: ["failed", "bad"],
  stopped: ["stopped", "quiet"],
} as const;

function headHtml(turn: ShownTurn): string {
  const [words, tone] = STATUS[turn.status];
  const facts = factsOf(turn).map((one) => escapeMarkup(visibleLine(one)));
  return `<div style="margin-bottom:.2em;overflow-wrap:anywhere"><b>${escapeMarkup(visibleLine(turn.label))}</b> ${badge(words, tone)} <span style="opacity:.75;font-size:smaller">${facts.join(" · ")}</span></div>`;
}

/** `claude_code`, `stub`, `3 calls`, `1.2k tokens`, `$0.012`, `session 3f2a…`: what is known of a turn so far. */
export function factsOf(turn: Omit<SessionTurn, "items">): readonly string[] {
  const { controller, model, calls, usage, sessionIds, startedAt, lastAt, status } = turn;
  const tokens = usage.inputTokens + usage.outputTokens;
  const session = sessionIds.at(-1);
  const isOver = status !== "working" && status !== "asking";
  return [
    ...(controller === undefined ? [] : [controller]),
    ...(model === undefined || model === controller ? [] : [model]),
    ...(turn.modelSources.length === 0 ? [] : [sourceText(new Set(turn.modelSources))]),
    ...(calls === 0 ? [] : [counted(calls, "call")]),
    ...(tokens === 0 ? [] : [`${shortCount(tokens)} tokens`, costText(usage.costUsd)]),
    ...(isOver ? [durationText(lastAt - startedAt)] : []),
    ...(session === undefined ? [] : [`session ${session.slice(0, 8)}`]),
  ];
}

/** Shows the plan as it is now as a check list. */
function planHtml({ plan = [] }: ShownTurn): string {
  if (plan.length === 0) return "";
  const shown = plan.slice(0, STEPS_SHOWN).map(({ text, status }) => {
    const style = status === "in_progress" || status === "inProgress" ? "font-weight:600" : "";
    return `<li style="list-style:none;${style}">${planSign(status)} ${escapeMarkup(cut(visibleLine(text), 200))}</li>`;
  });
  const left = plan.length - shown.length;
  const more = left > 0 ? `<li style="list-style:none;opacity:.75">… ${left} more</li>` : "";
  return `<ul style="margin:.2em 0;padding:0">${shown.join("")}${more}</ul>`;
}

const STEPS_SHOWN = 30;

/** The sign of a step's status, which is in the words of the agent. */
export function planSign(status: string): string {
  if (status === "completed") return "☑";
  return status === "in_progress" || status === "inProgress" ? "◐" : "☐";
}
