/** How well what a picture shows is told from what is behind it (WCAG 2.2). */

/** From 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

function luminance(colour: string): number {
  const hex = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(colour);
  if (hex === null) throw new Error(`no colour of ours: ${colour}`);
  const [red = 0, green = 0, blue = 0] = hex.slice(1).map((part) => {
    const value = Number.parseInt(part, 16) / 255;
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export interface Seen {
  readonly kind: "text" | "mark";
  readonly what: string;
  readonly colour: string;
  /** What it is drawn on. */
  readonly ground: string;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly fill: string;
}

const CARD = "#ffffff";

/** The texts and marks of a chart; a text lies on the last mark before it that holds its middle, else on the card. */
export function groundsOf(svg: string): readonly Seen[] {
  const seen: Seen[] = [];
  const boxes: Box[] = [];
  for (const { name, attributes, at, text } of shapesOf(svg)) {
    const fill = attributes.get("fill") ?? "none";
    if (name === "text" && text !== "") {
      const under = boxes.findLast((box) => isIn(box, at));
      seen.push({ kind: "text", what: text, colour: fill, ground: under?.fill ?? CARD });
    }
    if (name !== "path" || !isMark(attributes)) continue;
    const what = attributes.get("aria-label") ?? "";
    const colour = fill === "none" ? (attributes.get("stroke") ?? CARD) : fill;
    seen.push({ kind: "mark", what, colour, ground: CARD });
    const rectangle = /^M(-?[\d.]+),(-?[\d.]+)h(-?[\d.]+)v(-?[\d.]+)/.exec(
      attributes.get("d") ?? "",
    );
    if (rectangle === null) continue;
    const [x = 0, y = 0, width = 0, height = 0] = rectangle.slice(1).map(Number);
    boxes.push({ x: at.x + x, y: at.y + y, width, height, fill: colour });
  }
  return seen;
}

function isMark(attributes: ReadonlyMap<string, string>): boolean {
  const role = attributes.get("aria-roledescription") ?? "";
  // A tick is the median's, drawn over its box and beyond it.
  return ["bar", "rect mark", "area mark", "line mark", "rule mark"].includes(role);
}

function isIn(box: Box, at: { readonly x: number; readonly y: number }): boolean {
  return at.x >= box.x && at.x <= box.x + box.width && at.y >= box.y && at.y <= box.y + box.height;
}

/** Every shape with where it stands: groups move what is in them. */
function* shapesOf(svg: string) {
  const offsets: { x: number; y: number }[] = [{ x: 0, y: 0 }];
  for (const [, slash, name = "", rest = "", text = ""] of svg.matchAll(
    /<(\/?)([\w:-]+)((?:\s+[\w:-]+="[^"]*")*)\s*\/?>([^<]*)/g,
  )) {
    const attributes = new Map(
      [...rest.matchAll(/\s([\w:-]+)="([^"]*)"/g)].map(([, key = "", value = ""]) => [key, value]),
    );
    const [, x = "0", y = "0"] =
      /translate\((-?[\d.]+)[ ,]+(-?[\d.]+)\)/.exec(attributes.get("transform") ?? "") ?? [];
    const around = offsets.at(-1) ?? { x: 0, y: 0 };
    const at = { x: around.x + Number(x), y: around.y + Number(y) };
    if (name === "g" && slash === "/") offsets.pop();
    else if (name === "g") offsets.push(at);
    else if (slash === "") yield { name, attributes, at, text };
  }
}
