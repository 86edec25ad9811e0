/** Shows one thing that an agent said or did as HTML: a text, a folded call, a coloured difference, a question. */
import type { CallItem, FileItem, QuestionItem, SessionItem } from "../../../runtime/index.ts";
import { isRecord } from "../../is-record.ts";
import { escapeMarkup } from "../escape.ts";
import { durationText } from "../numbers.ts";
import { treeHtml } from "../values/tree.ts";
import { counted, cut, visibleLine } from "../visible.ts";
import { diffCounts, diffHtml } from "./diff-html.ts";

/** The room that one item has. */
export interface ItemRoom {
  /** Characters of a text, and of what a call came to. */
  readonly characters: number;
  /** Lines of a difference. */
  readonly lines: number;
}

const QUIET = "opacity:.75";
const BLOCK = "margin:.2em 0;white-space:pre-wrap;overflow-wrap:anywhere";
const SCROLLED = `${BLOCK};max-height:20em;overflow:auto`;

/** Behind the words of a state, so that nobody has to tell colours apart. */
const TONES = {
  good: "rgba(46,160,67,.20)",
  bad: "rgba(248,81,73,.22)",
  open: "rgba(212,167,44,.25)",
  quiet: "rgba(128,128,128,.20)",
} as const;

/** `key` names what is folded, so that it stays open where it is shown again. */
export function itemHtml(item: SessionItem, key: string, room: ItemRoom): string {
  switch (item.kind) {
    case "instruction":
      return folded({
        key,
        head: `<span style="${QUIET}">the task</span> ${escapeMarkup(firstLine(item.text))}`,
        body: `<div style="${SCROLLED}">${escapeMarkup(cut(item.text, room.characters))}</div>`,
      });
    case "steer":
      return `<div style="${BLOCK}"><b>a person:</b> ${escapeMarkup(cut(item.text, room.characters))}</div>`;
    case "text":
      return `<div style="${BLOCK}">${escapeMarkup(cut(item.text, room.characters))}</div>`;
    case "call":
      return callHtml(item, key, room);
    case "file":
      return fileHtml(item, key, room);
    case "plan": {
      const done = item.steps.filter(({ status }) => status === "completed").length;
      return `<div style="${QUIET}">plan: ${done} of ${counted(item.steps.length, "step")} done</div>`;
    }
    case "question":
      return questionHtml(item, key, room);
    case "note":
      return `<div style="${BLOCK};${QUIET};font-size:smaller">${escapeMarkup(cut(item.text, 400))}</div>`;
    case "error":
      return `<div style="${BLOCK}">${badge("failed", "bad")} ${escapeMarkup(cut(item.text, room.characters))}</div>`;
  }
}

export function badge(words: string, tone: keyof typeof TONES): string {
  return `<span style="background:${TONES[tone]};border-radius:.6em;padding:0 .5em;white-space:nowrap">${escapeMarkup(words)}</span>`;
}

const CALL_TONES = { running: "open", ok: "good", failed: "bad", denied: "bad" } as const;

function callHtml(call: CallItem, key: string, room: ItemRoom): string {
  const { tool, input, status, durationMs, value, error } = call;
  const took = durationMs === undefined ? "" : ` · ${durationText(durationMs)}`;
  const about = aboutInput(input);
  const code =
    about === "" ? "" : ` <code style="overflow-wrap:anywhere">${escapeMarkup(about)}</code>`;
  const result = error ?? value;
  return folded({
    key,
    head: `<b>${escapeMarkup(visibleLine(tool))}</b>${code} ${badge(status, CALL_TONES[status])}<span style="${QUIET}">${took}</span>`,
    body: [
      `<div style="${QUIET}">arguments</div>`,
      valueHtml(input, room),
      ...(result === undefined
        ? []
        : [
            `<div style="${QUIET}">${error === undefined ? "result" : "why"}</div>`,
            valueHtml(result, room),
          ]),
    ].join(""),
  });
}

function valueHtml(value: unknown, { characters }: ItemRoom): string {
  const tree = typeof value === "string" ? undefined : treeHtml(value);
  if (tree !== undefined && tree.length <= 4 * characters) return tree;
  const text = typeof value === "string" ? value : (JSON.stringify(value, null, 1) ?? "nothing");
  return `<pre style="${SCROLLED}">${escapeMarkup(cut(text, characters))}</pre>`;
}

/** A short difference is shown at once. */
const OPEN_LINES = 16;

/** The verb before the name of a file; empty where the name says it. */
export function verbOf({ isDiff, path }: Pick<FileItem, "isDiff" | "path">): string {
  if (path === undefined) return "";
  return isDiff ? "changed " : "made ";
}

function fileHtml(file: FileItem, key: string, room: ItemRoom): string {
  const { name, isDiff, text = "" } = file;
  const { added, removed } = diffCounts(text);
  const counts = isDiff ? ` ${badge(`+${added} −${removed}`, "quiet")}` : "";
  const verb = verbOf(file);
  const head = `<span style="${QUIET}">${verb}</span><code style="overflow-wrap:anywhere">${escapeMarkup(visibleLine(name))}</code>${counts}`;
  if (text === "") return `<div>${head}</div>`;
  const body = isDiff
    ? diffHtml(text, room.lines)
    : `<pre style="${SCROLLED}">${escapeMarkup(cut(text, room.characters))}</pre>`;
  const isShort = isDiff && text.split("\n").length <= Math.min(OPEN_LINES, room.lines);
  return folded({ key, head, body, isOpen: isShort });
}

/** Controllers call it so that a session is to go on: no tool of the agent, and its message says all. */
const CONTINUES = "session.continue";

const ANSWERS = {
  open: ["waits for an answer", "open"],
  approved: ["allowed", "good"],
  denied: ["not allowed", "bad"],
} as const;

function questionHtml(
  { tool, message, input, status }: QuestionItem,
  key: string,
  room: ItemRoom,
): string {
  const called = tool === CONTINUES ? undefined : tool;
  const about = called === undefined ? "" : aboutInput(input);
  const may =
    called === undefined ? "asks" : `asks whether it may call <b>${escapeMarkup(called)}</b>`;
  const code = about === "" ? "" : ` <code>${escapeMarkup(about)}</code>`;
  const words = message === undefined ? "" : ` ${escapeMarkup(cut(visibleLine(message), 400))}`;
  const [answer, tone] = ANSWERS[status];
  const head = `${may}${code}${words} ${badge(tool === undefined && status === "approved" ? "answered" : answer, tone)}`;
  if (input === undefined) return `<div style="${BLOCK}">${head}</div>`;
  const diff = isRecord(input) && typeof input.diff === "string" ? input.diff : undefined;
  const body = diff === undefined ? valueHtml(input, room) : diffHtml(diff, room.lines);
  return folded({ key, head, body });
}

interface FoldedPart {
  readonly key: string;
  /** HTML, both. */
  readonly head: string;
  readonly body: string;
  readonly isOpen?: boolean;
}

function folded({ key, head, body, isOpen = false }: FoldedPart): string {
  return `<details data-key="${escapeMarkup(key)}"${isOpen ? " open" : ""} style="margin:.15em 0"><summary style="cursor:pointer;overflow-wrap:anywhere">${head}</summary><div style="margin:.1em 0 .3em 1.1em">${body}</div></details>`;
}

function firstLine(text: string): string {
  return cut(visibleLine(text.trimStart().split("\n", 1)[0] ?? ""), 100);
}

function isLine(text: string): boolean {
  return !text.trimEnd().includes("\n");
}

/** The members that say most of a call, in this order. */
const TELLING = ["command", "file_path", "path", "url", "query", "pattern", "prompt"];

/** Returns the arguments of a call as a few words. */
export function aboutInput(input: unknown): string {
  if (input === null || input === undefined) return "";
  if (typeof input !== "object") return cut(visibleLine(String(input)), 100);
  const entries = Object.entries(input);
  const telling = TELLING.flatMap((name) => entries.filter(([key]) => key === name));
  const plain = [...telling, ...entries].find(
    ([, value]) => typeof value === "number" || (typeof value === "string" && isLine(value)),
  );
  const [, value] = plain ?? [];
  return value === undefined ? "" : cut(visibleLine(String(value)), 100);
}
