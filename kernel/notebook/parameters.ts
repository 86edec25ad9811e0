/** Sets parameters of a notebook as papermill does: a cell of values after the one tagged `parameters`. */
import { nearest } from "../../dsl/index.ts";
import { CommandError } from "../command-error.ts";
import { type CodeCell, isCode, type NotebookCell, type NotebookFile, tagsOf } from "./notebook.ts";

/** `NAME=VALUE` texts → values by name. A value that reads as JSON is that, any other is text. */
export function readParameters(texts: readonly string[]): Readonly<Record<string, unknown>> {
  const entries = texts.map((text) => {
    const [, name, value] = /^\s*([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*=(.*)$/su.exec(text) ?? [];
    if (name !== undefined && value !== undefined) return [name, readValue(value)] as const;
    throw new CommandError("M7104", `\`--param ${text}\` is not NAME=VALUE`, {
      hint: "as in --param limit=3 or --param 'question=What is new?'",
    });
  });
  return Object.fromEntries(entries);
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The notebook with these values set; what an earlier call has set is gone. */
export function withParameters(
  notebook: NotebookFile,
  values: Readonly<Record<string, unknown>>,
): NotebookFile {
  if (Object.keys(values).length === 0) return notebook;
  const cells = notebook.cells.filter((cell) => !has(cell, "injected-parameters"));
  const place = cells.findIndex((cell) => has(cell, "parameters")) + 1;
  return { ...notebook, cells: cells.toSpliced(place, 0, injected(values)) };
}

/**
 * Returns whether the notebook has a cell for its parameters; without one, they are set before its
 * first cell.
 */
export function hasParameterCell({ cells }: NotebookFile): boolean {
  return cells.some((cell) => has(cell, "parameters"));
}

/** Returns the names that no code cell has, each with the parameter of the notebook that is most like it. */
export function unusedParameters(
  { cells }: NotebookFile,
  names: readonly string[],
): readonly { readonly name: string; readonly meant: string | undefined }[] {
  const wordsOf = (cell: CodeCell) =>
    cell.source.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu) ?? [];
  const used = new Set(cells.filter(isCode).flatMap(wordsOf));
  const declared = cells
    .filter((cell) => has(cell, "parameters"))
    .flatMap(({ source }) => [...source.matchAll(/\b(?:let|const|var)\s+([\p{ID_Continue}$]+)/gu)])
    .map(([, name = ""]) => name);
  return names
    .filter((name) => !used.has(name))
    .map((name) => ({ name, meant: nearest(name, declared) }));
}

function has(cell: NotebookCell, tag: string): boolean {
  return isCode(cell) && tagsOf(cell).includes(tag);
}

function injected(values: Readonly<Record<string, unknown>>): CodeCell {
  // `let`, so that a text has the type string and not that of its own letters.
  const lines = Object.entries(values).map(
    ([name, value]) => `let ${name} = ${JSON.stringify(value)};`,
  );
  return {
    cell_type: "code",
    id: "injected-parameters",
    metadata: { tags: ["injected-parameters"] },
    source: ["// Parameters", ...lines].join("\n"),
    execution_count: null,
    outputs: [],
  };
}
