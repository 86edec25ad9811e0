/** Where what a report cites stands, as a path with a line that editors and terminals open. */
import { readFileSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";

/** An entry of DeepSearch's findings. */
export interface Finding {
  readonly package: string;
  /** Relative to the folder of documents. */
  readonly file: string;
  readonly heading: string;
  readonly quote: string;
}

/** The findings that a report quotes, each place once, in its order; when it quotes none, those whose file it names. */
export function citedPlaces(
  report: string,
  findings: readonly Finding[],
  folder: string,
): readonly string[] {
  const quoted = findings
    .filter(({ quote }) => report.includes(quote))
    .sort((a, b) => report.indexOf(a.quote) - report.indexOf(b.quote));
  const cited = quoted.length > 0 ? quoted : findings.filter(({ file }) => report.includes(file));
  return [...new Set(cited.map((finding) => placeOf(finding, folder)))];
}

function placeOf({ file, heading, quote }: Finding, folder: string): string {
  const path = join(folder, file);
  const near = relative(process.cwd(), path);
  const shown = near.startsWith("..") || isAbsolute(near) ? path : near;
  const line = lineOf(quote, path);
  return `${shown}${line === undefined ? "" : `:${line}`}  ${heading}`;
}

/** The first line with the quote's beginning, as much of it as stands in one line. */
function lineOf(quote: string, path: string): number | undefined {
  const lines = linesOf(path);
  const words = spaced(quote).split(" ");
  for (let count = words.length; count > 0; count -= 1) {
    const beginning = words.slice(0, count).join(" ");
    const index = lines.findIndex((line) => line.includes(beginning));
    if (index >= 0) return index + 1;
  }
  return undefined;
}

function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, "utf8").split("\n").map(spaced);
  } catch {
    return []; // Gone since it was read.
  }
}

function spaced(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
