/** Writes objects and long texts as HTML that unfolds without a script. */
import { inspect, types } from "node:util";
import { escapeMarkup } from "../escape.ts";
import { UNREAD } from "../table/inert.ts";
import { isPlainObject } from "../table/plain-rows.ts";
import { counted, cut } from "../visible.ts";

/** So many entries and characters of a value are written; what follows is counted. */
const ENTRIES_MAX = 2_000;
const CHARACTERS_MAX = 100_000;
/** So many entries of one object are written. */
const CHILDREN_MAX = 100;
const DEPTH_MAX = 12;
/** Longer texts are folded. */
const TEXT_CHARACTERS = 200;
const LINES_MAX = 20;

interface Writing {
  entries: number;
  characters: number;
  readonly above: Set<unknown>;
}

interface TreeBranch {
  readonly label: string;
  readonly size: number;
  /** The first of its entries: a key as text, and the value or what stands for it. */
  readonly children: readonly (readonly [key: string, value: unknown])[];
}

/** Stands for a member that is not read: its getter might do anything. */
class Unread {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** An object, a list, a map or a set, its first level unfolded; undefined for any other value. */
export function treeHtml(value: unknown): string | undefined {
  if (branchOf(value) === undefined) return undefined;
  const writing = { entries: ENTRIES_MAX, characters: CHARACTERS_MAX, above: new Set() };
  const body = entryHtml(undefined, value, writing, 0);
  return `<div class="madrigal-tree mathjax_ignore" style="font-family:var(--jp-code-font-family,monospace);font-size:var(--jp-code-font-size,13px);line-height:1.5">${body}</div>`;
}

/** A text of many lines or characters, folded behind its first; undefined for a short one. */
export function foldedText(text: string): string | undefined {
  if (text.length <= 10 * TEXT_CHARACTERS && text.split("\n").length <= LINES_MAX) return undefined;
  return `<div class="madrigal-tree mathjax_ignore">${foldedHtml("", text)}</div>`;
}

function entryHtml(
  key: string | undefined,
  value: unknown,
  writing: Writing,
  depth: number,
): string {
  writing.entries -= 1;
  const name =
    key === undefined
      ? ""
      : `<span style="color:var(--jp-mirror-editor-property-color,inherit);font-weight:600">${escapeMarkup(cut(key, TEXT_CHARACTERS))}</span>: `;
  const branch = branchOf(value);
  if (branch === undefined || branch.size === 0) return leafHtml(name, value, writing);
  const label = `${name}<span style="opacity:.7">${escapeMarkup(branch.label)}</span>`;
  if (writing.above.has(value)) return `<div>${label} (goes round in a circle)</div>`;
  if (depth >= DEPTH_MAX || isUsedUp(writing)) return `<div>${label}</div>`;
  writing.above.add(value);
  const children: string[] = [];
  for (const [childKey, child] of branch.children) {
    if (isUsedUp(writing)) break;
    children.push(entryHtml(childKey, child, writing, depth + 1));
  }
  writing.above.delete(value);
  const left = branch.size - children.length;
  const more = left === 0 ? "" : `<div style="opacity:.7">… ${counted(left)} more</div>`;
  const open = depth === 0 ? " open" : "";
  return `<details${open}><summary style="cursor:pointer">${label}</summary><div style="margin-left:1.4em">${children.join("")}${more}</div></details>`;
}

function isUsedUp({ entries, characters }: Writing): boolean {
  return entries <= 0 || characters <= 0;
}

function leafHtml(name: string, value: unknown, writing: Writing): string {
  if (typeof value === "string" && value.length > TEXT_CHARACTERS) {
    const text = cut(value, Math.max(TEXT_CHARACTERS, Math.min(20_000, writing.characters)));
    writing.characters -= text.length;
    return foldedHtml(name, text);
  }
  const text = leafText(value);
  writing.characters -= text.length;
  return `<div style="padding-left:1.1em;white-space:pre-wrap;overflow-wrap:anywhere">${name}${escapeMarkup(text)}</div>`;
}

/** A text behind its first line; `name`, of HTML, stands before it. */
export function foldedHtml(name: string, text: string): string {
  const [first = ""] = text.trimStart().split("\n", 1);
  const lines = text.split("\n").length;
  const size = lines > 1 ? counted(lines, "line") : counted(text.length, "character");
  return `<details><summary style="cursor:pointer;overflow-wrap:anywhere">${name}${escapeMarkup(first.slice(0, 100))}… <span style="opacity:.7">${size}</span></summary><pre style="margin:0 0 0 1.4em;max-height:30em;overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere">${escapeMarkup(text)}</pre></details>`;
}

function leafText(value: unknown): string {
  if (value instanceof Unread) return value.text;
  try {
    const options = { depth: 0, getters: false, maxStringLength: 500, breakLength: Infinity };
    return cut(inspect(value, { ...options, maxArrayLength: 5 }), 500);
  } catch {
    return "(this value throws when it is looked at)";
  }
}

/** Undefined for what is not unfolded: numbers, texts, functions, dates, objects of classes, proxies. */
function branchOf(value: unknown): TreeBranch | undefined {
  if (typeof value !== "object" || value === null || types.isProxy(value)) return undefined;
  if (Array.isArray(value)) {
    const children = Array.from({ length: Math.min(value.length, CHILDREN_MAX) }, (_, at) => {
      return [String(at), memberOf(value, String(at))] as const;
    });
    return { label: `[${counted(value.length, "item")}]`, size: value.length, children };
  }
  if (types.isMap(value)) {
    const children = firstOf(value.entries()).map(
      ([key, one]) => [typeof key === "string" ? key : leafText(key), one] as const,
    );
    return { label: `Map of ${counted(value.size)}`, size: value.size, children };
  }
  if (types.isSet(value)) {
    const children = firstOf(value.values()).map((one, at) => [String(at), one] as const);
    return { label: `Set of ${counted(value.size)}`, size: value.size, children };
  }
  if (!isPlainObject(value)) return undefined;
  const keys = Object.keys(value);
  const children = keys.slice(0, CHILDREN_MAX).map((key) => [key, memberOf(value, key)] as const);
  return { label: `{${counted(keys.length, "key")}}`, size: keys.length, children };
}

function firstOf<T>(values: Iterator<T> & Iterable<T>): readonly T[] {
  const first: T[] = [];
  for (const one of values) {
    if (first.length >= CHILDREN_MAX) break;
    first.push(one);
  }
  return first;
}

function memberOf(value: object, key: string): unknown {
  const member = Object.getOwnPropertyDescriptor(value, key);
  return member !== undefined && "get" in member && member.get !== undefined
    ? new Unread(UNREAD)
    : member?.value;
}
