/** Notebooks as tests write them: the sources of their cells, and what came of it as text. */
import type {
  CodeCell,
  NotebookCell,
  NotebookFile,
  Output,
  TextCell,
} from "../../../kernel/notebook/notebook.ts";
import { writeNotebook } from "../../../kernel/notebook/write-notebook.ts";

/** A cell before the notebook gives it its id. */
export type NewCell = Omit<CodeCell, "id"> | Omit<TextCell, "id">;

/** A code cell; with `{ tags }` or `{ markdown: true }` another one. */
export function cell(
  source: string,
  {
    tags,
    markdown = false,
  }: { readonly tags?: readonly string[]; readonly markdown?: boolean } = {},
): NewCell {
  const metadata = tags === undefined ? {} : { tags };
  return markdown
    ? { cell_type: "markdown", metadata, source }
    : { cell_type: "code", metadata, source, execution_count: null, outputs: [] };
}

export function notebook(...cells: readonly (string | NewCell)[]): NotebookFile {
  return {
    metadata: {},
    cells: cells.map((one, index) => ({
      ...(typeof one === "string" ? cell(one) : one),
      id: `c${index + 1}`,
    })) as NotebookCell[],
  };
}

export function fileOf(...cells: readonly (string | NewCell)[]): string {
  return writeNotebook(notebook(...cells));
}

/** Each output of each code cell on a line. */
export function shown({ cells }: NotebookFile): string {
  return cells
    .flatMap((one) =>
      one.cell_type === "code"
        ? [`[${one.execution_count ?? " "}] ${one.source.split("\n")[0]}`, ...one.outputs.map(line)]
        : [],
    )
    .join("\n");
}

function line(output: Output): string {
  switch (output.output_type) {
    case "stream":
      return `  ${output.name}: ${JSON.stringify(output.text)}`;
    case "error":
      return `  error: ${output.ename}: ${output.evalue}`;
    case "display_data":
    case "execute_result":
      return `  ${output.output_type}: ${JSON.stringify(output.data["text/plain"] ?? output.data)}`;
  }
}
