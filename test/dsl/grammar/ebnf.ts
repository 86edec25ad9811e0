/** Shapes to text: `{ }` is any number of times, `[ ]` may be left out. */
import type { GrammarRule, Shape } from "./shape.ts";

const widthMax = 100;

/** A rule as text, on one line if it fits. */
export function ebnf({ name, shape }: GrammarRule): string {
  const line = `${name} = ${textOf(shape)} ;`;
  if (line.length <= widthMax || shape.kind !== "choice") return folded(line);
  const ways = shape.ways.map((way) => wayOf(way));
  return [name, ...ways.map((way, index) => `  ${index === 0 ? "=" : "|"} ${way}`), "  ;"].join(
    "\n",
  );
}

/** A long line goes on below its own beginning; no line begins with what closes. */
function folded(line: string): string {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > widthMax) {
    const [head] = /^.{10,99}(?= [^\])};])/.exec(rest) ?? [];
    if (head === undefined) break;
    lines.push(head);
    rest = `    ${rest.slice(head.length + 1)}`;
  }
  return [...lines, rest].join("\n");
}

function textOf(shape: Shape): string {
  switch (shape.kind) {
    case "literal":
      return JSON.stringify(shape.text);
    case "token":
    case "rule":
      return shape.name;
    case "sequence":
      return shape.parts.map(partOf).join(" ");
    case "choice":
      return shape.ways.map(wayOf).join(" | ");
    case "optional":
      return optional(shape.part);
    case "repeat":
      return shape.separator === undefined
        ? `${partOf(shape.part)} { ${textOf(shape.part)} }`
        : `${partOf(shape.part)} { ${textOf(shape.separator)} ${partOf(shape.part)} }`;
  }
}

/** What may be left out and may be there many times is any number of times. */
function optional(part: Shape): string {
  const isPlainRepeat = part.kind === "repeat" && part.separator === undefined;
  return isPlainRepeat ? `{ ${textOf(part.part)} }` : `[ ${textOf(part)} ]`;
}

function wayOf(shape: Shape): string {
  return shape.kind === "sequence" && shape.parts.length === 0 ? "(* nothing *)" : textOf(shape);
}

function partOf(shape: Shape): string {
  return shape.kind === "choice" ? `( ${textOf(shape)} )` : textOf(shape);
}
