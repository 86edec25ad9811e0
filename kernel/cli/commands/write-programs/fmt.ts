/** `madrigal fmt FILE…`: formats programs, and the graphs of notebooks, in place; `-` formats stdin to stdout. */
import { readFileSync } from "node:fs";
import {
  check,
  type Diagnostic,
  format,
  type Source,
  sortDiagnostics,
} from "../../../../dsl/index.ts";
import { classify } from "../../../cells/kinds/classify.ts";
import { CommandError } from "../../../command-error.ts";
import { counted } from "../../../display/visible.ts";
import { EXIT } from "../../../exit-codes.ts";
import { isCode, type NotebookCell } from "../../../notebook/notebook.ts";
import { readNotebook } from "../../../notebook/read-notebook.ts";
import { writeNotebook } from "../../../notebook/write-notebook.ts";
import { readSource } from "../../../programs/read-source.ts";
import type { CommandCall } from "../../arguments.ts";
import type { CliCommand } from "../../command.ts";
import { faultText, toFault } from "../../fault.ts";
import { tellFrames } from "../../frames.ts";
import { paintFor, print, printJson, tell } from "../../output.ts";
import { readStdin } from "../../read-stdin.ts";
import { replaceFile } from "./replace-file.ts";

export const command: CliCommand = {
  options: { check: "flag", json: "flag" },
  arguments: ["FILE…"],
  async run(call) {
    if (call.arguments.includes("-")) return formatStdin(call);
    const isCheck = call.flag("check");
    const outcomes = [...new Set(call.arguments)].map((file) => formatFile(file, { isCheck }));
    for (const outcome of outcomes) tellOutcome(outcome);
    const changed = outcomes.filter(({ isChanged }) => isChanged).map(({ source }) => source.file);
    if (call.flag("json")) {
      const diagnostics = sortDiagnostics(outcomes.flatMap((one) => one.diagnostic ?? []));
      printJson({ files: outcomes.length, changed, diagnostics });
    } else {
      for (const file of changed) print(file);
      print(summary(outcomes, { isCheck }));
    }
    return Math.max(...outcomes.map(({ exitCode }) => exitCode));
  },
};

interface FormatOutcome {
  readonly source: Source;
  readonly isChanged: boolean;
  readonly exitCode: number;
  /** The reason why the file was left unchanged. */
  readonly diagnostic?: Diagnostic | undefined;
  /** The error of a file that can't be read, so that there is no text for a frame. */
  readonly failed?: CommandError;
}

function formatFile(file: string, { isCheck }: { readonly isCheck: boolean }): FormatOutcome {
  try {
    assertProgram(file);
    const { text } = readSource(file);
    const source = { file, text: `${markOf(file)}${text}` };
    const outcome = isNotebook(file)
      ? formatNotebook(source, { isCheck })
      : formatSource(source, { isCheck });
    if (outcome.isChanged && !isCheck) replaceFile(file, outcome.text);
    return outcome;
  } catch (thrown) {
    if (!(thrown instanceof CommandError)) throw thrown;
    const { code, message, hint, exitCode } = thrown;
    const place = { file, line: 1, column: 1, endLine: 1, endColumn: 1 };
    const problem = { code, message, ...(hint === undefined ? {} : { hint }) };
    const diagnostic = { ...problem, severity: "error" as const, ...place };
    return { source: { file, text: "" }, isChanged: false, exitCode, diagnostic, failed: thrown };
  }
}

/**
 * Returns the syntax errors of a program: laid out without the parts that could not be read, it
 * would look correct.
 */
function unreadIn(source: Source): readonly Diagnostic[] {
  const { diagnostics } = check(source, { allowNotYet: true });
  return diagnostics.filter(({ code, severity }) => severity === "error" && code.startsWith("M1"));
}

function formatSource(
  source: Source,
  { isCheck }: { readonly isCheck: boolean },
): FormatOutcome & { readonly text: string } {
  const [unread] = unreadIn(source);
  const result = format(source);
  const diagnostic = unread ?? ("text" in result ? undefined : result.refused.diagnostic);
  if (diagnostic !== undefined || !("text" in result)) {
    return { source, text: source.text, isChanged: false, exitCode: EXIT.wrong, diagnostic };
  }
  return formattedOutcome(source, result.text, { isCheck });
}

/** Formats the cells of a notebook that hold graphs; one that can't be read leaves all as they are. */
function formatNotebook(
  source: Source,
  { isCheck }: { readonly isCheck: boolean },
): FormatOutcome & { readonly text: string } {
  const notebook = readNotebook(source.text, source.file);
  const cells: NotebookCell[] = [];
  for (const [index, cell] of notebook.cells.entries()) {
    const { kind, start } = classify(cell.source);
    if (!isCode(cell) || kind !== "graph") {
      cells.push(cell);
      continue;
    }
    const program = { file: `${source.file} cell ${index + 1}`, text: cell.source.slice(start) };
    const outcome = formatSource(program, { isCheck });
    if (outcome.diagnostic !== undefined) return { ...outcome, text: source.text };
    const text = outcome.text.replace(/\r?\n$/, "");
    cells.push({ ...cell, source: `${cell.source.slice(0, start)}${text}` });
  }
  const isSame = cells.every((cell, index) => cell.source === notebook.cells[index]?.source);
  const text = isSame ? source.text : writeNotebook({ ...notebook, cells });
  return formattedOutcome(source, text, { isCheck });
}

function formattedOutcome(
  source: Source,
  text: string,
  { isCheck }: { readonly isCheck: boolean },
): FormatOutcome & { readonly text: string } {
  const isChanged = text !== source.text;
  return { source, text, isChanged, exitCode: isChanged && isCheck ? EXIT.wrong : EXIT.done };
}

function isNotebook(file: string): boolean {
  return file.endsWith(".ipynb");
}

/** To the formatter every text is a program: a page of Markdown would not be one any more. */
function assertProgram(file: string): void {
  if (file.endsWith(".madrigal") || isNotebook(file)) return;
  throw new CommandError("M7902", `\`${file}\` is not named like a program`, {
    hint: "programs end in `.madrigal`, notebooks in `.ipynb`; `madrigal fmt - < FILE` formats any text",
    place: { file },
  });
}

// Decoding takes the byte order mark away.
function markOf(file: string): string {
  return readFileSync(file).subarray(0, 3).equals(BYTE_ORDER_MARK) ? "\uFEFF" : "";
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

async function formatStdin(call: CommandCall): Promise<number> {
  if (call.arguments.length > 1) {
    throw new CommandError("M7103", "`-` stands alone", {
      hint: "`madrigal fmt - < FILE`, or the names of files",
    });
  }
  const source = { file: "-", text: await readStdin() };
  const isCheck = call.flag("check");
  const outcome = formatSource(source, { isCheck });
  tellOutcome(outcome);
  const { text, isChanged, diagnostic } = outcome;
  if (call.flag("json")) {
    const changed = isChanged ? ["-"] : [];
    const diagnostics = diagnostic === undefined ? [] : [diagnostic];
    printJson({ files: 1, changed, diagnostics, ...(isCheck ? {} : { text }) });
  } else if (isCheck) print(summary([outcome], { isCheck }));
  // Written unchanged: a program is no message for a terminal, and keeps its line breaks.
  else process.stdout.write(text);
  return outcome.exitCode;
}

function tellOutcome({ source, diagnostic, failed }: FormatOutcome): void {
  if (failed !== undefined) tell(faultText(toFault(failed), paintFor(process.stderr)));
  else if (diagnostic !== undefined) tellFrames([diagnostic], source);
}

function summary(
  outcomes: readonly FormatOutcome[],
  { isCheck }: { readonly isCheck: boolean },
): string {
  const files = counted(outcomes.length, "file");
  const changed = outcomes.filter(({ isChanged }) => isChanged).length;
  const left = outcomes.filter(({ diagnostic }) => diagnostic !== undefined).length;
  const counts = `${changed} ${isCheck ? "would change" : "changed"}`;
  return `${files}: ${counts}${left === 0 ? "" : `, ${left} left alone`}`;
}
