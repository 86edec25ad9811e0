/** `madrigal fmt FILE…`: formats programs, and the graphs of notebooks, in place; `-` formats stdin to stdout. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import {
  type CheckOptions,
  check,
  type Diagnostic,
  format,
  migrate,
  type RewrittenPlace,
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
import { programsBeside } from "../../../programs/programs-beside.ts";
import { readSource } from "../../../programs/read-source.ts";
import type { CommandCall } from "../../arguments.ts";
import type { CliCommand } from "../../command.ts";
import { faultText, toFault } from "../../fault.ts";
import { tellFrames } from "../../frames.ts";
import { paintFor, print, printJson, tell } from "../../output.ts";
import { readStdin } from "../../read-stdin.ts";
import { replaceFile } from "./replace-file.ts";

export const command: CliCommand = {
  options: { check: "flag", json: "flag", migrate: "flag" },
  arguments: ["FILE…"],
  async run(call) {
    if (call.arguments.includes("-")) return formatStdin(call);
    const isCheck = call.flag("check");
    const how = { isCheck, isMigration: call.flag("migrate") };
    const outcomes = [...new Set(call.arguments)].map((file) => formatFile(file, how));
    for (const outcome of outcomes) tellOutcome(outcome);
    const changed = outcomes.filter(({ isChanged }) => isChanged).map(({ source }) => source.file);
    if (call.flag("json")) {
      const diagnostics = sortDiagnostics(outcomes.flatMap(diagnosticsOf));
      const rewritten = outcomes.flatMap((one) => one.rewritten ?? []);
      const migrated = how.isMigration ? { rewritten } : {};
      printJson({ files: outcomes.length, changed, diagnostics, ...migrated });
    } else {
      for (const file of changed) print(file);
      for (const one of outcomes.flatMap((outcome) => outcome.rewritten ?? []))
        print(rewrittenLine(one));
      print(summary(outcomes, { isCheck }));
    }
    return Math.max(...outcomes.map(({ exitCode }) => exitCode));
  },
};

interface FormatOutcome {
  readonly source: Source;
  readonly isChanged: boolean;
  readonly exitCode: number;
  /** The reasons why the file, or cells of it, were left unchanged, each with the text that its place is in. */
  readonly faults?: readonly FormatFault[];
  /** The short forms that now stand where long ones stood. */
  readonly rewritten?: readonly RewrittenInFile[];
  /** The error of a file that can't be read, so that there is no text for a frame. */
  readonly failed?: CommandError;
}

interface FormatFault {
  readonly source: Source;
  readonly diagnostic: Diagnostic;
}

interface RewrittenInFile extends RewrittenPlace {
  readonly file: string;
}

interface HowToFormat {
  readonly isCheck: boolean;
  /** Writes long forms the short way, too. */
  readonly isMigration: boolean;
}

function formatFile(file: string, how: HowToFormat): FormatOutcome {
  try {
    assertProgram(file);
    const { text } = readSource(file);
    const source = { file, text: `${markOf(file)}${text}` };
    const outcome = isNotebook(file) ? formatNotebook(source, how) : formatSource(source, how);
    if (outcome.isChanged && !how.isCheck) replaceFile(file, outcome.text);
    return outcome;
  } catch (thrown) {
    if (!(thrown instanceof CommandError)) throw thrown;
    const { code, message, hint, exitCode } = thrown;
    const place = { file, line: 1, column: 1, endLine: 1, endColumn: 1 };
    const problem = { code, message, ...(hint === undefined ? {} : { hint }) };
    const diagnostic = { ...problem, severity: "error" as const, ...place };
    const of = { file, text: "" };
    const faults = [{ source: of, diagnostic }];
    return { source: of, isChanged: false, exitCode, faults, failed: thrown };
  }
}

/**
 * Returns the syntax errors of a program: laid out without the parts that could not be read, it
 * would look correct.
 */
function unreadIn(source: Source): readonly Diagnostic[] {
  const { diagnostics } = check(source);
  return diagnostics.filter(({ code, severity }) => severity === "error" && code.startsWith("M1"));
}

function formatSource(
  source: Source,
  { isCheck, isMigration }: HowToFormat,
): FormatOutcome & { readonly text: string } {
  const options = checkOptions(source);
  const { text, rewritten } = isMigration ? migrate(source, options) : { text: source.text };
  const [unread] = isMigration ? errorsIn(source, options) : unreadIn(source);
  const result = format({ file: source.file, text });
  const diagnostic = unread ?? ("text" in result ? undefined : result.refused.diagnostic);
  if (diagnostic !== undefined || !("text" in result)) {
    const faults = diagnostic === undefined ? [] : [{ source, diagnostic }];
    return { source, text: source.text, isChanged: false, exitCode: EXIT.wrong, faults };
  }
  const outcome = formattedOutcome(source, result.text, { isCheck });
  if (rewritten === undefined) return outcome;
  return { ...outcome, rewritten: rewritten.map((one) => ({ file: source.file, ...one })) };
}

/** A program is checked with all that stands beside it: only one without an error is rewritten. */
function checkOptions(source: Source): CheckOptions {
  const { open, apis, skills } = programsBeside({ source, path: resolve(source.file) });
  return { programs: open, apis, skills };
}

function errorsIn(source: Source, options: CheckOptions): readonly Diagnostic[] {
  return check(source, options).diagnostics.filter(({ severity }) => severity === "error");
}

function rewrittenLine({ file, line, says, isOtherHash }: RewrittenInFile): string {
  return `${file}:${line}: ${says}${isOtherHash ? " (the graph has another hash)" : ""}`;
}

/** Formats the cells of a notebook that hold graphs; one that can't be read stays as it is. */
function formatNotebook(
  source: Source,
  how: HowToFormat,
): FormatOutcome & { readonly text: string } {
  const notebook = readNotebook(source.text, source.file);
  const cells: NotebookCell[] = [];
  const rewritten: RewrittenInFile[] = [];
  const faults: FormatFault[] = [];
  for (const [index, cell] of notebook.cells.entries()) {
    const { kind, start } = classify(cell.source);
    if (!isCode(cell) || kind !== "graph") {
      cells.push(cell);
      continue;
    }
    const program = { file: `${source.file} cell ${index + 1}`, text: cell.source.slice(start) };
    // Declarations of earlier cells are not known here: a cell that needs some is laid out and not migrated.
    const isAlone = how.isMigration && errorsIn(program, checkOptions(program)).length === 0;
    const outcome = formatSource(program, { ...how, isMigration: isAlone });
    faults.push(...(outcome.faults ?? []));
    rewritten.push(...(outcome.rewritten ?? []));
    const text = outcome.faults === undefined ? outcome.text.replace(/\r?\n$/, "") : program.text;
    cells.push({ ...cell, source: `${cell.source.slice(0, start)}${text}` });
  }
  const isSame = cells.every((cell, index) => cell.source === notebook.cells[index]?.source);
  const text = isSame ? source.text : writeNotebook({ ...notebook, cells });
  const outcome = { ...formattedOutcome(source, text, how), rewritten };
  return faults.length === 0 ? outcome : { ...outcome, exitCode: EXIT.wrong, faults };
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
  const outcome = formatSource(source, { isCheck, isMigration: call.flag("migrate") });
  tellOutcome(outcome);
  const { text, isChanged } = outcome;
  if (call.flag("json")) {
    const changed = isChanged ? ["-"] : [];
    const diagnostics = diagnosticsOf(outcome);
    printJson({ files: 1, changed, diagnostics, ...(isCheck ? {} : { text }) });
  } else if (isCheck) print(summary([outcome], { isCheck }));
  // Written unchanged: a program is no message for a terminal, and keeps its line breaks.
  else process.stdout.write(text);
  return outcome.exitCode;
}

function tellOutcome({ faults = [], failed }: FormatOutcome): void {
  if (failed !== undefined) tell(faultText(toFault(failed), paintFor(process.stderr)));
  else for (const { source, diagnostic } of faults) tellFrames([diagnostic], source);
}

function diagnosticsOf({ faults = [] }: FormatOutcome): readonly Diagnostic[] {
  return faults.map(({ diagnostic }) => diagnostic);
}

function summary(
  outcomes: readonly FormatOutcome[],
  { isCheck }: { readonly isCheck: boolean },
): string {
  const files = counted(outcomes.length, "file");
  const changed = outcomes.filter(({ isChanged }) => isChanged).length;
  const faulty = outcomes.filter(({ faults = [] }) => faults.length > 0);
  const left = faulty.filter(({ isChanged }) => !isChanged).length;
  // In a changed notebook, the cells that can't be read stay as they are.
  const cells = faulty.flatMap(({ isChanged, faults = [] }) => (isChanged ? faults : [])).length;
  const parts = [
    `${changed} ${isCheck ? "would change" : "changed"}`,
    ...(left === 0 ? [] : [`${left} left alone`]),
    ...(cells === 0 ? [] : [`${counted(cells, "cell")} left alone`]),
  ];
  return `${files}: ${parts.join(", ")}`;
}
