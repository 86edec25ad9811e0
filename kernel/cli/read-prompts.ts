/** Reads prompts from the files of a folder: `NODE.prompt.md` and `NODE.system.md`. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Diagnostic,
  type Ir,
  type PromptTexts,
  putPrompts,
  type Source,
} from "../../dsl/index.ts";
import { messageOf } from "../../runtime/index.ts";
import { CommandError } from "../command-error.ts";
import { counted } from "../display/visible.ts";
import { tellFrames } from "./frames.ts";

const ENDING = ".md";

/** The texts by key; the line break at the end of a file is not part of its text. */
function readPrompts(folder: string): PromptTexts {
  try {
    const files = readdirSync(folder).filter((name) => name.endsWith(ENDING));
    return Object.fromEntries(
      files
        .sort()
        .map((name) => [name.slice(0, -ENDING.length), readPromptFile(join(folder, name))]),
    );
  } catch (cause) {
    throw unreadable(folder, cause);
  }
}

function unreadable(folder: string, cause: unknown): CommandError {
  const message = `the folder of \`--prompts\` can't be read: ${messageOf(cause)}`;
  return new CommandError("M7201", message, { place: { file: folder }, cause });
}

function readPromptFile(file: string): string {
  return readFileSync(file, "utf8").replace(/\r?\n$/, "");
}

/** The findings about one file of prompts, with its text. */
export interface PromptFaults {
  readonly source: Source;
  readonly diagnostics: readonly Diagnostic[];
}

/** Finds what is wrong with the texts of a folder for the graphs of a file; files that are right are left out. */
export function promptFaults(graphs: readonly Ir[], folder: string): readonly PromptFaults[] {
  const fileOf = (key: string) => join(folder, `${key}${ENDING}`);
  const all = Object.entries(readPrompts(folder)).map(([key, text]): PromptFaults => {
    const diagnostics = faultsOf(graphs, { [key]: text }, fileOf);
    return { source: { file: fileOf(key), text }, diagnostics };
  });
  return all.filter(({ diagnostics }) => diagnostics.length > 0);
}

/** A text is for each graph that has such a node. */
function faultsOf(
  graphs: readonly Ir[],
  text: PromptTexts,
  fileOf: (key: string) => string,
): readonly Diagnostic[] {
  const all = graphs.map((ir) => putPrompts(ir, text, fileOf).diagnostics);
  const meant = all.filter((found) => !found.some(({ code }) => code === "M8177"));
  return meant.length > 0 ? meant.flat() : (all[0] ?? []);
}

/** Those of the texts that are for this graph; throws when one of them is wrong for the graphs of its file. */
export function promptsFor(ir: Ir, graphs: readonly Ir[], folder: string): PromptTexts {
  const faults = promptFaults(graphs, folder);
  for (const { diagnostics, source } of faults) tellFrames(diagnostics, source);
  const { length } = faults;
  if (length > 0) {
    const message = `${counted(length, "prompt")} of \`${folder}\` can't be used`;
    throw new CommandError("M8177", message, { hint: "the lines above say why" });
  }
  const isFor = (key: string) => ir.nodes.some(({ name }) => key.startsWith(`${name}.`));
  return Object.fromEntries(Object.entries(readPrompts(folder)).filter(([key]) => isFor(key)));
}
