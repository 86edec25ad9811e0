/** Draws the cells of a notebook below each other, with an arc from each to those that use what it declares. */

import { themeStyle } from "../../display/chart/theme.ts";
import { escapeMarkup } from "../../display/escape.ts";
import { FAINT, FONT, INK, LINE } from "../../display/graph/drawing-colours.ts";
import { fitted } from "../../display/graph/text-width.ts";
import { counted, visibleLine } from "../../display/visible.ts";
import type { LinkedCell } from "../kinds/dependents.ts";

const ROW = 44;
const WIDTH = 730;
const LEFT = 132;
const TOP = 34;
const CELL_WIDTH = WIDTH - LEFT - 14;
/** An arc is so much wider for each cell that it passes. */
const ARC_STEP = 14;
const ARC_MAX = 110;
const CLASS = "madrigal-drawing";

/** A line a cell: the names that it declares, and those that it uses with their cells. */
export function cellsText(cells: readonly LinkedCell[]): string {
  if (cells.length === 0) return "no cell has run that declares or uses a name";
  return cells.map((one) => `${one.cell.name}${factsOf(one)}${staleText(one)}`).join("\n");
}

export function cellsSvg(cells: readonly LinkedCell[]): string {
  const height = TOP + cells.length * ROW + 8;
  const rows = new Map(cells.map(({ cell }, index) => [cell, index]));
  const stale = cells.filter(({ staleness }) => staleness !== "fresh").length;
  const title = `${counted(cells.length, "cell")} · ${stale === 0 ? "none is stale" : `${stale} stale`}`;
  const drawn = [
    `<rect x=".5" y=".5" width="${WIDTH - 1}" height="${height - 1}" rx="8" fill="#ffffff" stroke="#d0d7de"/>`,
    textAt({ x: 14, y: 21, text: title, fill: FAINT }),
    ...cells.flatMap((one, row) => [...one.uses].map(([name, by]) => arc(name, rows.get(by), row))),
    ...cells.map((one, row) => box(one, row)),
  ].join("");
  return `<svg xmlns="http://www.w3.org/2000/svg" class="${CLASS}" data-size="${WIDTH} ${height}" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" font-family="${escapeMarkup(FONT)}" font-size="12"><title>${escapeMarkup(title)}</title><desc>${escapeMarkup(visibleLine(cellsText(cells)))}</desc>${themeStyle(drawn, CLASS, ["#ffffff"])}${drawn}</svg>`;
}

function box(one: LinkedCell, row: number): string {
  const y = TOP + row * ROW;
  const isStale = one.staleness !== "fresh";
  const [fill, stroke] = isStale ? ["#fff5d6", "#9a6700"] : ["#f6f8fa", "#d0d7de"];
  const room = CELL_WIDTH - 20;
  const head = `${one.cell.name}  ${firstLine(one.cell.request.code)}`;
  const facts = `${isStale ? "stale" : ""}${factsOf(one)}`.replace(/^ · /, "");
  return [
    `<rect x="${LEFT}" y="${y}" width="${CELL_WIDTH}" height="${ROW - 6}" rx="5" fill="${fill}" stroke="${stroke}"/>`,
    textAt({ x: LEFT + 10, y: y + 16, text: fitted(head, { room, size: 12 }), fill: INK }),
    textAt({ x: LEFT + 10, y: y + 31, text: fitted(facts, { room, size: 11 }), fill: FAINT }),
  ].join("");
}

/** From the lower part of one cell to the upper part of the other, on the left of both. */
function arc(name: string, from: number | undefined, to: number): string {
  if (from === undefined) return "";
  const [begin, end] = [TOP + from * ROW + 26, TOP + to * ROW + 12];
  const reach = LEFT - Math.min(ARC_MAX, 18 + ARC_STEP * Math.abs(to - from));
  const head = `M${LEFT - 7},${end - 4}L${LEFT - 1},${end}L${LEFT - 7},${end + 4}`;
  const path = `M${LEFT},${begin}C${reach},${begin} ${reach},${end} ${LEFT - 2},${end}`;
  return `<g><title>${escapeMarkup(visibleLine(name))}</title><path d="${path}" fill="none" stroke="${LINE}" stroke-width="1.4"/><path d="${head}" fill="none" stroke="${LINE}" stroke-width="1.4"/></g>`;
}

function factsOf({ declares, uses }: LinkedCell): string {
  const used = [...uses].map(([name, { name: cell }]) => `${name} (${cell})`);
  return [
    declares.length === 0 ? "" : ` · declares ${declares.join(", ")}`,
    used.length === 0 ? "" : ` · uses ${used.join(", ")}`,
  ].join("");
}

function staleText({ staleness, marks, hasFailed }: LinkedCell): string {
  if (staleness === "fresh") return "";
  if (hasFailed) return " · stale: it failed when it ran again";
  return ` · stale: ${[...marks].map(([name, why]) => `\`${name}\` ${why}`).join(", ")}`;
}

function firstLine(code: string): string {
  return visibleLine(code.trim().split("\n", 1)[0] ?? "");
}

function textAt({
  x,
  y,
  text,
  fill,
}: {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly fill: string;
}): string {
  return `<text x="${x}" y="${y}" fill="${fill}">${escapeMarkup(text)}</text>`;
}
