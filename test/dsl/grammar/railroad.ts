/** Shapes to syntax diagrams: boxes on a line that is followed from left to right. */
import type { GrammarRule, Shape } from "./shape.ts";

/** A drawn part: it is entered at its left on the line and left at its right; `up` and `down` are its room beside the line. */
interface Box {
  readonly width: number;
  readonly up: number;
  readonly down: number;
  draw(x: number, y: number): string;
}

const character = 8;
const padding = 10;
const half = 12;
const gap = 14;
const radius = 9;
const between = 10;

/** A diagram of one rule as a picture; names of rules are links to `#NAME` of the page. */
export function railroad({ name, shape }: GrammarRule): string {
  const box = toBox(shape);
  const width = box.width + 2 * (gap + radius);
  const y = box.up + 4;
  const end = gap + radius + box.width;
  return [
    `<svg width="${width}" height="${y + box.down + 4}" role="img">`,
    `<title>${name}</title>`,
    `<circle cx="4" cy="${y}" r="3"/>`,
    rail(4, y, gap + radius),
    box.draw(gap + radius, y),
    rail(end, y, width - 4),
    `<circle cx="${width - 4}" cy="${y}" r="3"/>`,
    "</svg>",
  ].join("");
}

function toBox(shape: Shape): Box {
  switch (shape.kind) {
    case "literal":
      return label(shape.text, "literal");
    case "token":
      return label(shape.name, "token");
    case "rule":
      return label(shape.name, "rule");
    case "sequence":
      return row(shape.parts.map(toBox));
    case "choice":
      return stack(shape.ways.map(toBox));
    case "optional":
      return stack([nothing, toBox(shape.part)]);
    case "repeat":
      return loop(
        toBox(shape.part),
        shape.separator === undefined ? nothing : toBox(shape.separator),
      );
  }
}

const nothing: Box = { width: 0, up: 0, down: 0, draw: () => "" };

function label(text: string, kind: "literal" | "token" | "rule"): Box {
  const width = text.length * character + 2 * padding;
  const corner = kind === "literal" ? half : 2;
  const draw = (x: number, y: number) => {
    const frame = `<rect class="${kind}" x="${x}" y="${y - half}" width="${width}" height="${2 * half}" rx="${corner}"/>`;
    const name = `<text x="${x + width / 2}" y="${y + 4}">${escaped(text)}</text>`;
    return kind === "rule" ? `<a href="#${text}">${frame}${name}</a>` : `${frame}${name}`;
  };
  return { width, up: half, down: half, draw };
}

function row(boxes: readonly Box[]): Box {
  const width = boxes.reduce((sum, box) => sum + box.width, gap * Math.max(0, boxes.length - 1));
  const draw = (left: number, y: number) => {
    let x = left;
    const drawn = boxes.map((box, index) => {
      const before = index === 0 ? "" : rail(x - gap, y, x);
      const text = `${before}${box.draw(x, y)}`;
      x += box.width + gap;
      return text;
    });
    return drawn.join("");
  };
  return { width, up: most(boxes, "up"), down: most(boxes, "down"), draw };
}

/** Ways below each other; the first stands on the line. */
function stack(boxes: readonly Box[]): Box {
  const inner = Math.max(...boxes.map((box) => box.width));
  const width = inner + 4 * radius;
  const offsets: number[] = [];
  let down = 0;
  for (const [index, box] of boxes.entries()) {
    const offset = index === 0 ? 0 : down + between + Math.max(box.up, radius);
    offsets.push(offset);
    down = offset + box.down;
  }
  const draw = (x: number, y: number) =>
    boxes
      .map((box, index) => {
        const offset = offsets[index] ?? 0;
        const [start, end] = [x + 2 * radius, x + width - 2 * radius];
        const line = `${rail(start + box.width, y + offset, end)}${box.draw(start, y + offset)}`;
        if (index === 0) return `${rail(x, y, start)}${line}${rail(end, y, x + width)}`;
        return `${turnDown(x, y, offset)}${line}${turnUp(end, y, offset)}`;
      })
      .join("");
  return { width, up: boxes[0]?.up ?? 0, down, draw };
}

/** A part on the line, and below it the way back. */
function loop(part: Box, back: Box): Box {
  const inner = Math.max(part.width, back.width);
  const width = inner + 2 * radius;
  const offset = part.down + between + Math.max(back.up, radius);
  const draw = (x: number, y: number) => {
    const [start, end] = [x + radius, x + radius + inner];
    const there = `${rail(x, y, start)}${part.draw(start, y)}${rail(start + part.width, y, x + width)}`;
    const below = `${back.draw(start, y + offset)}${rail(start + back.width, y + offset, end)}`;
    const turns = `M${start} ${y}q${-radius} 0 ${-radius} ${radius}v${offset - 2 * radius}q0 ${radius} ${radius} ${radius}`;
    const turnsBack = `M${end} ${y}q${radius} 0 ${radius} ${radius}v${offset - 2 * radius}q0 ${radius} ${-radius} ${radius}`;
    return `${there}${below}${path(turns)}${path(turnsBack)}`;
  };
  return { width, up: part.up, down: offset + Math.max(back.down, 2), draw };
}

function turnDown(x: number, y: number, offset: number): string {
  const drop = offset - 2 * radius;
  return path(`M${x} ${y}q${radius} 0 ${radius} ${radius}v${drop}q0 ${radius} ${radius} ${radius}`);
}

function turnUp(x: number, y: number, offset: number): string {
  const rise = offset - 2 * radius;
  return path(
    `M${x} ${y + offset}q${radius} 0 ${radius} ${-radius}v${-rise}q0 ${-radius} ${radius} ${-radius}`,
  );
}

function rail(from: number, y: number, to: number): string {
  return from === to ? "" : path(`M${from} ${y}H${to}`);
}

function path(way: string): string {
  return `<path d="${way}"/>`;
}

function most(boxes: readonly Box[], side: "up" | "down"): number {
  return Math.max(0, ...boxes.map((box) => box[side]));
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
