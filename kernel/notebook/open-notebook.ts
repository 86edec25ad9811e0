/** Opens a notebook file for execution; it must be one for our kernel. */
import { CommandError } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";
import { KERNEL_NAME, LANGUAGE } from "../lab/kernelspec.ts";
import { readSource } from "../programs/read-source.ts";
import type { NotebookFile } from "./notebook.ts";
import { readNotebook } from "./read-notebook.ts";
import { isTextForm, readText } from "./text-form.ts";

/** Reads the notebook in a file, which must be one for our kernel. */
export function openNotebook(file: string): NotebookFile {
  const { text } = readSource(file);
  const notebook = isTextForm(file) ? readText(text) : readNotebook(text, file);
  const kernel = kernelOf(notebook);
  if (kernel === undefined) return notebook;
  throw new CommandError("M7702", `\`${file}\` is for the kernel \`${kernel}\``, {
    hint: `choose the kernel \`${KERNEL_NAME}\` in JupyterLab, save, and try again`,
    place: { file },
    exitCode: EXIT.wrong,
  });
}

/** The kernel that it asks for, when that is another one than ours and speaks another language. */
function kernelOf({ metadata }: NotebookFile): string | undefined {
  const { kernelspec } = metadata;
  if (typeof kernelspec !== "object" || kernelspec === null) return undefined;
  const { name, language } = kernelspec as Readonly<Record<string, unknown>>;
  const isOurs = name === undefined || name === KERNEL_NAME || language === LANGUAGE;
  return isOurs ? undefined : String(name);
}
