/** Splits a Markdown document into sections by its headings; the text of a section is literal. */

/** A stretch of a document from one heading to the next. */
export interface DocsSection {
  /** The headings above the text, outermost first, joined by ` > `; before the first one, `(beginning)`. */
  readonly heading: string;
  /** The lines of the section without its heading, exactly as in the file. */
  readonly text: string;
  /** The first line of `text`, from 1. */
  readonly line: number;
}

const BEGINNING = "(beginning)";

/** The sections of `text` in their order. A heading with nothing under it is a section with an empty text. */
export function splitSections(text: string): DocsSection[] {
  const lines = text.split("\n");
  const sections: DocsSection[] = [];
  const path: { level: number; title: string }[] = [];
  let first = endOfFrontMatter(lines);
  const close = (end: number) => {
    const body = lines.slice(first, end).join("\n");
    if (body.trim() === "" && path.length === 0) return;
    const heading = path.map(({ title }) => title).join(" > ");
    sections.push({
      heading: heading === "" ? BEGINNING : heading,
      text: body,
      line: first + 1,
    });
  };
  for (const heading of headingsOf(lines, first)) {
    close(heading.start);
    while ((path.at(-1)?.level ?? 0) >= heading.level) path.pop();
    path.push(heading);
    first = heading.end;
  }
  close(lines.length);
  return sections;
}

interface Heading {
  readonly level: number;
  readonly title: string;
  /** The line of the heading and the line after it, from 0. */
  readonly start: number;
  readonly end: number;
}

function* headingsOf(lines: readonly string[], from: number): Generator<Heading> {
  let fence = "";
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (fence !== "") {
      if (mark?.[1]?.startsWith(fence) && mark[2]?.trim() === "") fence = "";
    } else if (mark?.[1] !== undefined) {
      fence = mark[1];
    } else {
      const heading = atxHeading(line, at) ?? underlinedHeading(line, lines[at + 1], at);
      if (heading === undefined) continue;
      yield heading;
      at = heading.end - 1;
    }
  }
}

function atxHeading(line: string, at: number): Heading | undefined {
  const match = /^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?\s*$/.exec(line);
  if (match === null) return undefined;
  return { level: match[1]?.length ?? 1, title: titleOf(match[2] ?? ""), start: at, end: at + 1 };
}

function underlinedHeading(
  line: string,
  next: string | undefined,
  at: number,
): Heading | undefined {
  const level = /^={2,}\s*$/.test(next ?? "") ? 1 : /^-{2,}\s*$/.test(next ?? "") ? 2 : 0;
  if (level === 0 || !/^ {0,3}[^\s>|#*+-]/.test(line)) return undefined;
  return { level, title: titleOf(line), start: at, end: at + 2 };
}

/** A heading as people read it: no images, link targets, tags or backticks. */
function titleOf(markdown: string): string {
  const text = markdown
    .replace(/!\[[^\]]*\]\([^)]*\)/g, "")
    .replace(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, "$1")
    .replace(/<\/?[a-zA-Z][^>]*>/g, "")
    .replace(/[`*]+/g, "")
    .replace(/\s+/g, " ");
  return text.trim();
}

/** The block of `key: value` lines that `.mdx` pages begin with is no text of theirs. */
function endOfFrontMatter(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== "---") return 0;
  const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === "---");
  return end < 0 ? 0 : end + 1;
}
