/** Rewrites long forms of a program into short ones that mean the same. */
import { type Checked, type CheckOptions, check } from "../compile.ts";
import { positionAt, type Source } from "../diagnostics/source.ts";
import { canonicalJson, withoutSpans } from "../ir/hash.ts";
import { parse } from "../syntax/parse.ts";
import { type Rewrite, rewrites, type ShortEdit } from "./rewrites.ts";

export interface MigratedText {
  readonly text: string;
  readonly rewritten: readonly RewrittenPlace[];
}

export interface RewrittenPlace {
  /** The line of the text at which the rewrite began. */
  readonly line: number;
  /** The short form. */
  readonly says: string;
  /** True if the hash of the graph is another one, so that a run of it is not served by `rerun`. */
  readonly isOtherHash: boolean;
}

// Each pass rewrites what the one before has uncovered.
const passesMax = 8;

/** Rewrites a program without errors; one with errors stays, since its meaning is not known. */
export function migrate(source: Source, options: CheckOptions): MigratedText {
  const rewritten: RewrittenPlace[] = [];
  let current = source;
  for (let pass = 0; pass < passesMax; pass++) {
    const before = rewritten.length;
    for (const rewrite of rewrites) {
      const done = rewriteOnce(current, rewrite, options);
      rewritten.push(...done.rewritten);
      current = { file: source.file, text: done.text };
    }
    if (rewritten.length === before) break;
  }
  return { text: current.text, rewritten };
}

/** Makes the edits of one rewrite that keep what the program means, the last one of the text first. */
function rewriteOnce(source: Source, rewrite: Rewrite, options: CheckOptions): MigratedText {
  const wanted = check(source, options);
  const rewritten: RewrittenPlace[] = [];
  let [text, end] = [source.text, source.text.length];
  if (hasErrors(wanted)) return { text, rewritten };
  const edits = rewrite.edits(parse(source).ast, text);
  for (const edit of edits.toSorted((a, b) => b.start - a.start)) {
    if (edit.end > end) continue;
    const candidate = { file: source.file, text: applied(text, edit) };
    const checked = check(candidate, options);
    if (!isKept(wanted, checked, rewrite.keeps)) continue;
    [text, end] = [candidate.text, edit.start];
    const { line } = positionAt(source, edit.start);
    const isOtherHash = meaningOf(checked) !== meaningOf(wanted);
    rewritten.unshift({ line, says: rewrite.says, isOtherHash });
  }
  return { text, rewritten };
}

function applied(text: string, { start, end, text: now }: ShortEdit): string {
  return `${text.slice(0, start)}${now}${text.slice(end)}`;
}

function isKept(before: Checked, after: Checked, keeps: Rewrite["keeps"]): boolean {
  if (hasErrors(after)) return false;
  if (keeps === "said") return codesOf(after) === codesOf(before);
  return meaningOf(after) === meaningOf(before);
}

function meaningOf({ graphs, tests }: Checked): string {
  const hashes = graphs.map(({ name, hash }) => [name, hash]);
  const bare = tests.map(({ ir: _ir, source: _source, line: _line, ...test }) => test);
  return canonicalJson(withoutSpans([hashes, bare]));
}

function codesOf({ diagnostics }: Checked): string {
  return diagnostics.map(({ code }) => code).join();
}

function hasErrors({ diagnostics }: Checked): boolean {
  return diagnostics.some(({ severity }) => severity === "error");
}
