/**
 * Counts lines of code the same way on both sides: no blank line and no comment; a text over several lines is one, since
 * prompts are of different lengths, and a line of more than 100 characters is as many as it would fill. `node test/ports/count-lines.ts` prints the table of README.md; with
 * `FILE[:CELL,CELL…]` it counts an original: TypeScript, Python, a notebook (its code cells, or those that are named, from
 * 0), the code blocks of a page likewise, or of other files the lines `FROM-TO`.
 */
import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { PORTS, type Port } from "./ports.ts";

/** What a line of a text may be part of. */
type Open = "`" | "'" | '"' | '"""' | "'''" | "/*" | "${";

const WIDTH = 100;

/** Returns the lines of a text that have code on them; `comment` is what begins one to the end of its line. */
export function countLines(text: string, comment: "//" | "#" = "//"): number {
  const open: Open[] = [];
  return text
    .split("\n")
    .filter((line) => hasCode(line, comment, open))
    .reduce((sum, line) => sum + Math.ceil(line.length / WIDTH), 0);
}

/** Tells whether a line has more than comments, and does not begin within a text; `open` is what it begins in, and then what it ends in. */
function hasCode(line: string, comment: string, open: Open[]): boolean {
  const quotes = comment === "#" ? ['"""', "'''", '"', "'"] : ["`", '"', "'"];
  const beganInText = open.some((one) => one !== "/*");
  let found = false;
  for (let at = 0; at < line.length; ) {
    const inside = open.at(-1);
    const rest = line.slice(at);
    if (inside === undefined || inside === "${") {
      const quote = quotes.find((one) => rest.startsWith(one));
      if (rest.startsWith(comment)) break;
      if (comment === "//" && rest.startsWith("/*")) open.push("/*");
      else if (quote !== undefined) open.push(quote as Open);
      else if (inside === "${" && rest.startsWith("}")) open.pop();
      if (rest.trimStart() === rest && open.at(-1) !== "/*") found = true;
      at += open.at(-1) === "/*" ? 2 : (quote?.length ?? 1);
    } else if (inside === "/*") {
      if (rest.startsWith("*/")) open.pop();
      at += rest.startsWith("*/") ? 2 : 1;
    } else if (rest.startsWith("\\")) at += 2;
    else if (rest.startsWith(inside)) {
      open.pop();
      at += inside.length;
    } else if (inside === "`" && comment === "//" && rest.startsWith("${")) {
      open.push("${");
      at += 2;
    } else at += 1;
  }
  // A text between simple quotes ends with its line, whatever is missing.
  while (open.at(-1) === "'" || open.at(-1) === '"') open.pop();
  return found && !beganInText;
}

/** The lines of a port. */
export interface PortLines {
  readonly program: number;
  /** Of the TypeScript that the program imports. */
  readonly typescript: number;
  readonly tests: number;
}

/** Returns the lines of a port's program, of its tests, which begin at the first `test`, and of what it imports. */
export function countPort({ program }: Pick<Port, "program">): PortLines {
  const file = join(import.meta.dirname, `${program}.madrigal`);
  const text = readFileSync(file, "utf8");
  const tests = text.search(/^test "/m);
  const imported = [...text.matchAll(/from "(\.[^"]+\.ts)"/g)].map(([, path = ""]) =>
    readFileSync(join(file, "..", path), "utf8"),
  );
  return {
    program: countLines(text.slice(0, tests)),
    tests: countLines(text.slice(tests)),
    typescript: imported.reduce((sum, code) => sum + countLines(code), 0),
  };
}

/** Returns the table of README.md, with a line of sums. */
export function portsTable(): string {
  const counted = PORTS.map((port) => ({ ...port, lines: countPort(port) }));
  const rows = counted.map(({ program, design, original, lines, tries }) => [
    `[${design}](${program}.madrigal)`,
    original.source + ("counted" in original ? `: ${original.counted}` : ""),
    lines.program,
    lines.typescript,
    lines.tests,
    "estimate" in original ? `about ${original.estimate}` : original.lines,
    tries === 1 ? "yes" : `no, ${tries}`,
  ]);
  const head = [
    "design",
    "original",
    "program",
    "TypeScript",
    "tests",
    "original's lines",
    "first try",
  ];
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

/** Our lines and those of the originals, of all ports whose original passes. */
export function ratioOf(passes: (port: Port) => boolean): {
  readonly ports: number;
  readonly ours: number;
  readonly originals: number;
} {
  const all = PORTS.filter(passes);
  const sum = (linesOf: (port: Port) => number) => all.reduce((so, port) => so + linesOf(port), 0);
  return {
    ports: all.length,
    ours: sum((port) => countPort(port).program + countPort(port).typescript),
    originals: sum(({ original }) => ("estimate" in original ? original.estimate : original.lines)),
  };
}

/** Returns the sentences below the table. */
export function ratios(): string {
  const shares = [
    [
      "originals of LangGraph JS",
      ratioOf(({ original }) => original.kind === "langgraph-js" && "lines" in original),
    ],
    ["all originals", ratioOf(({ original }) => "lines" in original)],
    ["all, with the two estimates", ratioOf(() => true)],
  ] as const;
  return shares
    .map(
      ([title, { ports, ours, originals }]) =>
        `- ${title}: ${ports} ports, ${ours} of ${originals} lines, ${Math.round((ours / originals) * 100)} %`,
    )
    .join("\n");
}

/** Returns the lines of an original: `path`, `path:1,4,7`, `path:10-90`. */
function countOriginal(named: string): number {
  const [, file = named, cells] = /^(.*?)(?::([\d,-]+))?$/.exec(named) ?? [];
  const text = readFileSync(file, "utf8");
  if (extname(file) === ".ipynb") return countNotebook(text, cells);
  const [from = 1, to] = cells?.split("-").map(Number) ?? [];
  if (extname(file) === ".py") return countLines(text, "#");
  if (!/^\.mdx?$/.test(extname(file)))
    return countLines(
      text
        .split("\n")
        .slice(from - 1, to)
        .join("\n"),
    );
  const blocks = [...text.matchAll(/^```(?:ts|js|py)\w*.*\n([\s\S]*?)^```/gm)].map(
    ([, code = ""]) => code,
  );
  const wanted = cells?.split(",").map(Number) ?? [...blocks.keys()];
  return wanted.reduce((sum, index) => sum + countLines(blocks[index] ?? ""), 0);
}

interface Notebook {
  readonly metadata: { readonly language_info?: { readonly name?: string } };
  readonly cells: readonly {
    readonly cell_type: string;
    readonly source: string | readonly string[];
  }[];
}

function countNotebook(text: string, named: string | undefined): number {
  const { cells, metadata } = JSON.parse(text) as Notebook;
  const wanted = named?.split(",").map(Number) ?? [...cells.keys()];
  const comment = metadata.language_info?.name === "python" ? "#" : "//";
  return wanted
    .map((index) => cells[index])
    .filter((cell) => cell?.cell_type === "code")
    .reduce((sum, cell) => sum + countLines([cell?.source ?? ""].flat().join(""), comment), 0);
}

if (import.meta.main) {
  const originals = process.argv.slice(2);
  for (const file of originals) console.log(countOriginal(file), file);
  if (originals.length === 0) console.log(`${portsTable()}\n\n${ratios()}`);
}
