/**
 * Draws a graph as SVG. Where front ends show it as an image, without the page's fonts and colours, it lies on a card of its own;
 * in a page it takes that page's colours. A layout is drawn once; statuses only change the nodes.
 */

import { themeStyle } from "../chart/theme.ts";
import { escapeMarkup } from "../escape.ts";
import { durationText, shortCount, timeText } from "../numbers.ts";
import { cut, visibleLine } from "../visible.ts";
import { FAINT, FONT, INK, LINE } from "./drawing-colours.ts";
import {
  BOUNDS_HEIGHT,
  boundsOf,
  kindOf,
  LABEL_LINE_HEIGHT,
  NAME_SIZE,
  nameOf,
  SMALL_SIZE,
} from "./layout.ts";
import { ICONS, LOOKS, type NodeStatus } from "./node-look.ts";
import type { GraphLayout, PlacedArrow, PlacedFrame, PlacedShape } from "./placed.ts";
import { fitted, textWidth } from "./text-width.ts";

/** The summary of a node over all its node runs. */
export interface NodeState {
  readonly status: NodeStatus;
  /** Node runs that ended well, and how many there are or will be. */
  readonly done: number;
  readonly total: number;
  readonly durationMs?: number;
  readonly tokens?: number;
  /** Of a node that asks: since when, in milliseconds since the epoch. */
  readonly askedSince?: number;
}

export interface Statuses {
  readonly nodes: Readonly<Record<string, NodeState>>;
  /** Below the picture: what keeps the run from going on, which one it is, what it came to. */
  readonly lines?: readonly string[];
  /** The run whose statuses these are; its whole id is told where a pointer rests on the drawing. */
  readonly runId?: string;
  /** The graph, where the drawing is of no run. */
  readonly graphHash?: string;
  /** The node that is looked at. */
  readonly marked?: string;
  /** Returns the number of times that an arrow was taken, by which it is coloured; undefined of one of which it is not known. */
  readonly timesOf?: (arrow: PlacedArrow) => number | undefined;
}

/** The picture; `statuses` of a run colour its nodes. */
export function drawGraph(layout: GraphLayout, statuses: Statuses = { nodes: {} }): string {
  const lines = statuses.lines ?? [`graph ${layout.graph}`];
  const still = stillOf(layout, lines.length, statuses);
  const nodes = layout.shapes.map((shape) =>
    shape.kind === "node" ? drawNode(shape, stateOf(statuses.nodes, drawnName(shape)) ?? IDLE) : "",
  );
  const about = `<title>${escapeMarkup(titleOf(layout, statuses))}</title><desc>${escapeMarkup(description(layout, statuses))}</desc>`;
  const drawn = `${still}${nodes.join("")}${drawMark(layout, statuses.marked)}${drawLines(layout, lines)}`;
  return `${openSvg(layout, lines.length, statuses)}${about}${themeStyle(drawn, DRAWING_CLASS, [CARD])}${drawn}</svg>`;
}

/** By which front ends know that a picture is a drawing of ours. */
const DRAWING_CLASS = "madrigal-drawing";

const IDLE: NodeState = { status: "idle", done: 0, total: 0 };

// ── what stays ──────────────────────────────────────────────────────────────────────────────────

const stills = new WeakMap<GraphLayout, Map<number, string>>();

/** The part that no status changes. The card is as high as what stands below the picture needs. */
function stillOf(layout: GraphLayout, lines: number, { timesOf }: Statuses): string {
  if (timesOf !== undefined) return drawBelow(layout, lines, timesOf);
  const made = stills.get(layout) ?? new Map<number, string>();
  stills.set(layout, made);
  const still = made.get(lines) ?? drawBelow(layout, lines, () => undefined);
  made.set(lines, still);
  return still;
}

const MARGIN = 14;
const LINE_HEIGHT = 17;
const BELOW_LINES = 7;
const WIDTH_MIN = 360;
/** With what is said of a run, as long as most of its lines are. */
const WIDTH_MIN_OF_RUNS = 640;
const TROUBLE = "#b3321a";
const TAKEN = "#13724f";
const MESSAGE = "#7a3ea8";
const CARD = "#ffffff";

function cardWidth(layout: GraphLayout, lines: number): number {
  const min = lines > 1 ? WIDTH_MIN_OF_RUNS : WIDTH_MIN;
  return Math.ceil(Math.max(min, layout.width) + 2 * MARGIN);
}

function cardHeight(layout: GraphLayout, lines: number): number {
  return Math.ceil(layout.height + 2 * MARGIN + BELOW_LINES + lines * LINE_HEIGHT);
}

type DrawingSubject = Pick<Statuses, "runId" | "graphHash">;

/** `data-size` is that of the graph alone: a page shows the lines below it as texts of its own. */
function openSvg(layout: GraphLayout, lines: number, { runId, graphHash }: DrawingSubject): string {
  const [width, height] = [cardWidth(layout, lines), cardHeight(layout, lines)];
  const of = [
    ...(runId === undefined ? [] : [` data-run="${escapeMarkup(runId)}"`]),
    ...(graphHash === undefined ? [] : [` data-graph="${escapeMarkup(graphHash)}"`]),
    ` data-size="${Math.ceil(layout.width + 2 * MARGIN)} ${Math.ceil(layout.height + 2 * MARGIN)}"`,
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" class="${DRAWING_CLASS}"${of.join("")} width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="${escapeMarkup(FONT)}" font-size="${SMALL_SIZE}">`;
}

function drawBelow(
  layout: GraphLayout,
  lines: number,
  timesOf: NonNullable<Statuses["timesOf"]>,
): string {
  const [width, height] = [cardWidth(layout, lines), cardHeight(layout, lines)];
  const card = `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8" fill="${CARD}" stroke="#d0d7de"/>`;
  const frames = layout.frames.map(drawFrame).join("");
  const titles = layout.frames.map(drawTitle).join("");
  const arrows = layout.arrows.map((arrow) => drawArrow(arrow, timesOf(arrow))).join("");
  const labels = layout.arrows.map(drawLabel).join("");
  const others = layout.shapes.map(drawOther).join("");
  return `${card}<g transform="translate(${MARGIN} ${MARGIN})">${frames}${arrows}${titles}${labels}${others}</g>`;
}

const FRAME_FILL = "#f6f8fa";

function drawFrame({ each, title, x, y, width, height }: PlacedFrame): string {
  return `<g data-each="${escapeMarkup(each)}"><title>${escapeMarkup(title)}</title><rect x="${x}" y="${y}" width="${width}" height="${height}" rx="10" fill="${FRAME_FILL}" stroke="#afb8c1" stroke-dasharray="5 3"/></g>`;
}

/** Over the arrow that leads into the frame. */
function drawTitle({ title, x, y, width, height, isTitleBelow = false }: PlacedFrame): string {
  const top = isTitleBelow ? y + height - 26 : y;
  const text = fitted(visibleLine(title), { room: width - 16, size: SMALL_SIZE });
  const behind = `<rect x="${x + 6}" y="${fixed(top + 5)}" width="${fixed(textWidth(text, SMALL_SIZE) + 8)}" height="16" fill="${FRAME_FILL}"/>`;
  return `${behind}<text x="${x + 10}" y="${fixed(top + 17)}" fill="${FAINT}">${escapeMarkup(text)}</text>`;
}

function drawArrow(
  { path, head, kind, label, from, to }: PlacedArrow,
  times: number | undefined,
): string {
  const plainColour = kind === "trouble" ? TROUBLE : kind === "message" ? MESSAGE : LINE;
  const colour = times === undefined ? plainColour : times > 0 ? TAKEN : TROUBLE;
  const dashes = (times === undefined ? kind === "flow" : times > 0)
    ? ""
    : ` stroke-dasharray="${kind === "pick" || kind === "message" ? "2 3" : "6 3"}"`;
  const about = [label, times === undefined ? "" : `taken ${times}×`].filter((text) => text !== "");
  const title = about.length === 0 ? "" : `<title>${escapeMarkup(about.join(", "))}</title>`;
  const taken = times === undefined ? "" : ` data-taken="${times}"`;
  return `<g data-arrow="${escapeMarkup(`${from} → ${to}`)}"${taken}>${title}<path d="${path}${baseOf(head)}" fill="none" stroke="${colour}" stroke-width="1.4"${dashes}/><path d="${headPath(head)}" fill="${colour}"/></g>`;
}

// The length of the space that Graphviz leaves for it.
const HEAD_LENGTH = 10;

/** The rest of the line: Graphviz ends it a little before the head. */
function baseOf(head: PlacedArrow["head"]): string {
  const { base } = directionOf(head);
  return `L${fixed(base.x)},${fixed(base.y)}`;
}

function directionOf({ from, to }: PlacedArrow["head"]) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [along, across] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const base = { x: to.x - along * HEAD_LENGTH, y: to.y - across * HEAD_LENGTH };
  return { along, across, base };
}

function headPath(head: PlacedArrow["head"]): string {
  const { to } = head;
  const { along, across, base } = directionOf(head);
  const corner = (side: number) =>
    `${fixed(base.x - across * 3.6 * side)},${fixed(base.y + along * 3.6 * side)}`;
  return `M${fixed(to.x)},${fixed(to.y)}L${corner(1)}L${corner(-1)}Z`;
}

function drawLabel({ lines, labelBox, kind }: PlacedArrow): string {
  if (labelBox === undefined) return "";
  const { x, y, width, height } = labelBox;
  const colour = kind === "trouble" ? TROUBLE : kind === "message" ? MESSAGE : FAINT;
  const texts = lines.map(
    (line, index) =>
      `<text x="${fixed(x + width / 2)}" y="${fixed(y + 13 + index * LABEL_LINE_HEIGHT)}" text-anchor="middle" fill="${colour}">${escapeMarkup(line)}</text>`,
  );
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="3" fill="${CARD}" fill-opacity=".85"/>${texts.join("")}`;
}

function drawOther(shape: PlacedShape): string {
  if (shape.kind === "node") return "";
  const { x, y, width, height } = shape;
  const text = shape.kind === "join" ? shape.text : shape.kind;
  const fill = shape.kind === "join" ? CARD : "#eaeef2";
  const middle = { x: fixed(x + width / 2), y: fixed(y + height / 2 + 4) };
  return `<g data-${shape.kind}=""><rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${height / 2}" fill="${fill}" stroke="${LINE}"/><text x="${middle.x}" y="${middle.y}" text-anchor="middle" fill="${INK}">${escapeMarkup(visibleLine(text))}</text></g>`;
}

// ── what a run changes ──────────────────────────────────────────────────────────────────────────

type PlacedNode = PlacedShape & { readonly kind: "node" };

/** The node's name in the drawing: `go/look` in a graph that `go` calls. */
function drawnName({ node, within }: PlacedNode): string {
  return within === undefined ? node.name : `${within}/${node.name}`;
}

function drawNode(shape: PlacedNode, state: NodeState): string {
  const { node, width, height } = shape;
  const look = LOOKS[state.status];
  const name = fitted(visibleLine(nameOf(node)), { room: width - 62, size: NAME_SIZE, bold: true });
  const kind = fitted(kindOf(node), { room: width - 20, size: SMALL_SIZE });
  const bounds = fitted(boundsOf(node), { room: width - 20, size: SMALL_SIZE });
  const below = bounds === "" ? 0 : BOUNDS_HEIGHT;
  const boundsText =
    bounds === ""
      ? ""
      : `<text data-bounds="" x="10" y="52" fill="${FAINT}">${escapeMarkup(bounds)}</text>`;
  const measures = measuresOf(state, width - 20);
  const dashes = look.isDashed === true ? ` stroke-dasharray="4 3"` : "";
  const about = [nameOf(node), node.description ?? "", boundsOf(node), look.word].filter(
    (text) => text !== "",
  );
  return `<g data-node="${escapeMarkup(drawnName(shape))}" data-status="${state.status}" data-runs="${state.total}" transform="translate(${fixed(shape.x + MARGIN)} ${fixed(shape.y + MARGIN)})"><title>${escapeMarkup(about.join(", "))}</title><rect width="${width}" height="${height}" rx="7" fill="${look.fill}" stroke="${look.stroke}" stroke-width="${state.status === "running" ? 2.4 : 1.4}"${dashes}/><path transform="translate(8 6)" d="${ICONS[node.kind]}" fill="none" stroke="${FAINT}" stroke-width="1.3" stroke-linecap="round" stroke-linejoin="round"/><text x="30" y="19" font-size="${NAME_SIZE}" font-weight="600" fill="${INK}">${escapeMarkup(name)}</text><text x="10" y="36" fill="${FAINT}">${escapeMarkup(kind)}</text>${boundsText}<text x="10" y="${52 + below}" fill="${INK}">${escapeMarkup(measures)}</text>${drawSign(look, width)}</g>`;
}

/** A line around the node that is looked at. */
function drawMark({ shapes }: GraphLayout, marked: string | undefined): string {
  const shape = shapes.find((one) => one.kind === "node" && drawnName(one) === marked);
  if (shape === undefined) return "";
  const [x, y] = [fixed(shape.x + MARGIN - 5), fixed(shape.y + MARGIN - 5)];
  return `<rect data-marked="${escapeMarkup(marked ?? "")}" x="${x}" y="${y}" width="${shape.width + 10}" height="${shape.height + 10}" rx="11" fill="none" stroke="${INK}" stroke-width="2.4"/>`;
}

function drawSign({ sign, stroke }: (typeof LOOKS)[NodeStatus], width: number): string {
  if (sign === undefined) return "";
  return `<g transform="translate(${fixed(width - 24)} 6)"><circle cx="8" cy="8" r="8" fill="${stroke}"/><path d="${sign}" fill="none" stroke="#ffffff" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"/></g>`;
}

/** A node may be called like what every object has. */
function stateOf(nodes: Statuses["nodes"], name: string): NodeState | undefined {
  return Object.hasOwn(nodes, name) ? nodes[name] : undefined;
}

/** `2/3 · 1.24 s · 3.1k tok`, `asks since 12:03 UTC`; what has no room is left out from the end. */
function measuresOf(state: NodeState, room: number): string {
  const parts = [...measureParts(state)];
  while (parts.length > 1 && textWidth(parts.join(" · "), SMALL_SIZE) > room) parts.pop();
  return fitted(parts.join(" · "), { room, size: SMALL_SIZE });
}

function measureParts(state: NodeState): readonly string[] {
  const { done, total, durationMs, tokens, status, askedSince } = state;
  if (status === "idle") return [];
  const word = LOOKS[status].word;
  const since = askedSince === undefined ? "" : ` since ${timeText(askedSince).slice(11, 16)} UTC`;
  // Before it has begun it has taken no time: that is not the time that it has waited.
  const hasTaken = durationMs !== undefined && (askedSince === undefined || durationMs > 0);
  return [
    ...(status === "succeeded" || status === "running" ? [] : [`${word}${since}`]),
    ...(total > 1 ? [`${done}/${total}`] : []),
    ...(hasTaken ? [durationText(durationMs)] : []),
    ...(tokens === undefined || tokens === 0 ? [] : [`${shortCount(tokens)} tok`]),
  ];
}

function drawLines(layout: GraphLayout, lines: readonly string[]): string {
  const room = cardWidth(layout, lines.length) - 2 * MARGIN;
  const bottom = cardHeight(layout, lines.length) - 11;
  const drawn = lines.map((line, index) => {
    const text = fitted(visibleLine(line), { room, size: SMALL_SIZE });
    const y = bottom - (lines.length - 1 - index) * LINE_HEIGHT;
    const title = text === line ? "" : `<title>${escapeMarkup(visibleLine(line))}</title>`;
    return `<text data-caption="" x="${MARGIN}" y="${y}" fill="${FAINT}">${title}${escapeMarkup(text)}</text>`;
  });
  return drawn.join("");
}

function titleOf({ graph }: GraphLayout, { runId }: Statuses): string {
  return runId === undefined ? `Graph ${graph}` : `Graph ${graph}, run ${runId}`;
}

function description({ shapes }: GraphLayout, { nodes, lines = [] }: Statuses): string {
  const nodeTexts = shapes.flatMap((shape) => {
    if (shape.kind !== "node") return [];
    const name = drawnName(shape);
    const state = stateOf(nodes, name);
    return [state === undefined ? name : `${name} ${LOOKS[state.status].word}`];
  });
  return cut(`${nodeTexts.join(", ")}${lines.map((line) => `. ${line}`).join("")}`, 2_000);
}

function fixed(value: number): number {
  return Math.round(value * 10) / 10;
}
