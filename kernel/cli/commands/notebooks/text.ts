/** `madrigal text NB`: writes a notebook as Markdown for reviews and merges, or such a text as a notebook. */
import { existsSync } from "node:fs";
import { isCode, type NotebookCell, type NotebookFile } from "../../../notebook/notebook.ts";
import { openNotebook } from "../../../notebook/open-notebook.ts";
import { writeWhole } from "../../../notebook/save-executed.ts";
import { isTextForm, TEXT_SUFFIX, writeText } from "../../../notebook/text-form.ts";
import { writeNotebook } from "../../../notebook/write-notebook.ts";
import type { CliCommand } from "../../command.ts";
import { print, printJson } from "../../output.ts";

export const command: CliCommand = {
  options: { json: "flag" },
  arguments: ["NB"],
  async run(call) {
    const [file = ""] = call.arguments;
    const notebook = openNotebook(file);
    const written = isTextForm(file)
      ? `${file.slice(0, -TEXT_SUFFIX.length)}.ipynb`
      : `${file.replace(/\.ipynb$/, "")}${TEXT_SUFFIX}`;
    const text = isTextForm(file) ? notebookText(notebook, written) : writeText(notebook);
    writeWhole(written, text);
    if (call.flag("json")) printJson({ written });
    else print(written);
    return 0;
  },
};

/** Cells whose code is as it was keep the outputs of the notebook that is there. */
function notebookText(notebook: NotebookFile, path: string): string {
  const before = new Map<string, NotebookCell>(
    existsSync(path) ? openNotebook(path).cells.map((cell) => [cell.id, cell]) : [],
  );
  const cells = notebook.cells.map((cell) => {
    const known = before.get(cell.id);
    const isSame =
      known !== undefined && isCode(known) && isCode(cell) && known.source === cell.source;
    return isSame
      ? { ...cell, outputs: known.outputs, execution_count: known.execution_count }
      : cell;
  });
  return writeNotebook({ ...notebook, cells });
}
