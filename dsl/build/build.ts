/** A draft becomes text, the text goes the way of every text, and what is said of it is told by the call it is about. */
import { type CheckOptions, check } from "../compile.ts";
import {
  type Diagnostic,
  type Related,
  sortDiagnostics,
  toDiagnostic,
} from "../diagnostics/diagnostic.ts";
import { renderDiagnostic } from "../diagnostics/render-diagnostic.ts";
import { positionAt, type Source } from "../diagnostics/source.ts";
import type { Ir } from "../ir/ir.ts";
import type { TestIr } from "../ir/test-ir.ts";
import { faultsOf } from "./contents.ts";
import type { BuilderDraft } from "./part.ts";
import {
  type CallSection,
  graphName,
  sectionName,
  type WrittenProgram,
  withUsed,
  writeProgram,
} from "./write-program.ts";

/** A program that calls have written, checked. */
export interface BuiltProgram {
  /** The same program as text of the language; the graph's places are places in it. */
  readonly source: Source;
  /** `file` is the call, `graph("G").agent("a")`; lines and columns are those of the text that it stands for. */
  readonly diagnostics: readonly Diagnostic[];
  /** The code frame of one of the diagnostics. */
  readonly render: (diagnostic: Diagnostic) => string;
  /** The graph itself, if nothing is wrong with it. */
  readonly ir?: Ir;
  /** Its tests that can run. */
  readonly tests: readonly TestIr[];
}

/** Checks what was said of a graph. Never throws. */
export function buildProgram(draft: BuilderDraft, options: CheckOptions = {}): BuiltProgram {
  const written = writeProgram(draft);
  const source = { file: graphName(draft.name), text: written.text };
  // A text that can't be parsed alone would be parsed with its neighbour, and the finding would name the wrong call.
  const unsound = unsoundParts(draft);
  const render = (diagnostic: Diagnostic) =>
    renderDiagnostic(diagnostic, sourceOf(diagnostic.file, draft, source));
  if (unsound.length > 0) return { source, diagnostics: unsound, render, tests: [] };
  const { diagnostics, graphs, tests } = check(source, options);
  const ir = graphs.find(({ name }) => name === draft.name);
  return {
    source,
    diagnostics: diagnostics.map((diagnostic) => byCall(diagnostic, source, written)),
    render,
    tests,
    ...(ir === undefined ? {} : { ir }),
  };
}

function unsoundParts(draft: BuilderDraft): Diagnostic[] {
  const found = withUsed(draft).flatMap(({ name, parts }) =>
    parts.flatMap((part) => {
      const source = { file: sectionName(name, part), text: part.text };
      return faultsOf(part).map((finding) => toDiagnostic(source, finding));
    }),
  );
  return sortDiagnostics(found);
}

/** The text that a call stands for; the whole program, where a fault is no single call's. */
function sourceOf(file: string, draft: BuilderDraft, whole: Source): Source {
  for (const { name, parts } of withUsed(draft)) {
    const part = parts.find((one) => sectionName(name, one) === file);
    if (part !== undefined) return { file, text: part.text };
  }
  return whole;
}

function byCall(diagnostic: Diagnostic, source: Source, written: WrittenProgram): Diagnostic {
  const place = (line: number, column: number) => locateInCall({ line, column }, source, written);
  const { file, line, column } = place(diagnostic.line, diagnostic.column);
  const end = place(diagnostic.endLine, diagnostic.endColumn);
  const isOneCall = end.file === file;
  return {
    ...diagnostic,
    file,
    line,
    column,
    endLine: isOneCall ? end.line : line,
    endColumn: isOneCall ? end.column : column + 1,
    ...(diagnostic.related === undefined
      ? {}
      : {
          related: diagnostic.related.map(
            (one): Related => ({ ...one, ...place(one.line, one.column) }),
          ),
        }),
  };
}

interface CallPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

function locateInCall(
  at: { readonly line: number; readonly column: number },
  source: Source,
  { sections }: WrittenProgram,
): CallPlace {
  const offset = offsetOf(at, source.text);
  const section = sectionAt(offset, sections);
  if (section === undefined) return { file: source.file, ...at };
  const text = source.text.slice(section.start, section.end);
  return {
    file: section.call,
    ...positionAt({ file: section.call, text }, offset - section.start),
  };
}

/** A place right behind a call's text is still that call's. */
function sectionAt(offset: number, sections: readonly CallSection[]): CallSection | undefined {
  return sections.find(({ start, end }) => start <= offset && offset <= end);
}

function offsetOf({ line, column }: { line: number; column: number }, text: string): number {
  const before = text.split("\n").slice(0, line - 1);
  return before.reduce((offset, one) => offset + one.length + 1, column - 1);
}
