/** A program beside `scope/functions.ts`, checked as `madrigal check` does it. */
import { join } from "node:path";
import type { Diagnostic, Ir } from "../../../dsl/index.ts";
import { checkSource } from "../../../kernel/programs/check-source.ts";

const path = join(import.meta.dirname, "scope", "program.madrigal");

/** Its errors as `M3508 «what is marked» message`. */
export async function errorsIn(text: string): Promise<string> {
  const { diagnostics } = await checkText(text);
  return diagnostics
    .filter(({ severity }) => severity === "error")
    .map((one) => `${one.code} «${markedBy(one, text)}» ${one.message}`)
    .join("\n");
}

/** The graphs of a program without errors. */
export async function graphsIn(text: string): Promise<readonly Ir[]> {
  const { diagnostics, graphs } = await checkText(text);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join("\n"));
  return graphs;
}

function checkText(text: string) {
  const source = { file: "program.madrigal", text };
  return checkSource({ source, path, types: "checked", options: { allowUnreadPrograms: true } });
}

/** The characters that a diagnostic is about. */
function markedBy({ line, column, endLine, endColumn }: Diagnostic, text: string): string {
  const lines = text.split("\n").slice(line - 1, endLine);
  const last = lines.length - 1;
  return lines
    .map((one, index) =>
      one.slice(index === 0 ? column - 1 : 0, index === last ? endColumn - 1 : undefined),
    )
    .join("\n");
}
