/** `madrigal check FILE…`: checks each file, whatever is wrong with the others. */
import { type Diagnostic, parse, type Source, sortDiagnostics } from "../../../../dsl/index.ts";
import { CommandError } from "../../../command-error.ts";
import { counted } from "../../../display/visible.ts";
import { EXIT } from "../../../exit-codes.ts";
import { checkSource, type SourceToCheck, withoutScope } from "../../../programs/check-source.ts";
import { readProgram } from "../../../programs/read-program.ts";
import type { CliCommand } from "../../command.ts";
import { faultText, toFault } from "../../fault.ts";
import { isError, tellFrames } from "../../frames.ts";
import { paintFor, print, printJson, tell } from "../../output.ts";
import { type PromptFaults, promptFaults } from "../../read-prompts.ts";

export const command: CliCommand = {
  options: { json: "flag", "no-types": "flag", scope: "text", prompts: "text", watch: "flag" },
  arguments: ["FILE…"],
  async run(call) {
    if (call.flag("watch")) return await (await import("../../watch.ts")).watchCommand(call);
    const types = call.flag("no-types") ? "never" : "checked";
    const how = { types, scopeFile: call.text("scope"), prompts: call.text("prompts") } as const;
    const checked: CheckedProgram[] = [];
    for (const file of new Set(call.arguments)) checked.push(await checkFile(file, how));
    for (const one of checked) tellChecked(one);
    const diagnostics = sortDiagnostics(
      checked.flatMap((one) => [
        ...one.diagnostics,
        ...one.prompts.flatMap((each) => each.diagnostics),
      ]),
    );
    if (call.flag("json")) printJson({ files: checked.length, diagnostics });
    else print(summary(checked.length, diagnostics));
    return Math.max(...checked.map(({ exitCode }) => exitCode));
  },
};

interface CheckedProgram {
  readonly source: Source;
  readonly diagnostics: readonly Diagnostic[];
  readonly exitCode: number;
  readonly prompts: readonly PromptFaults[];
  /** The error of a file that can't be read, so that there is no text for a frame. */
  readonly unread?: CommandError;
}

type HowToCheck = Pick<SourceToCheck, "types" | "scopeFile"> & {
  /** The folder with texts for the prompts of its graphs. */
  readonly prompts: string | undefined;
};

async function checkFile(
  file: string,
  { prompts: folder, ...how }: HowToCheck,
): Promise<CheckedProgram> {
  try {
    const { source, path } = readProgram(file);
    const options = how.scopeFile === undefined ? withoutScope() : {};
    const { diagnostics: found, graphs } = await checkSource({ source, path, options, ...how });
    // The content of a text that can't be read is not known.
    const isEmpty = parse(source).ast.items.length === 0 && !found.some(isError);
    const diagnostics = isEmpty ? [...found, nothingIn(file)] : found;
    // The prompts of a graph with errors are not known.
    const isSound = folder !== undefined && !diagnostics.some(isError);
    const prompts = isSound ? promptFaults(graphs, folder) : [];
    const isWrong = prompts.length > 0 || diagnostics.some(isError);
    return { source, diagnostics, prompts, exitCode: isWrong ? EXIT.wrong : EXIT.done };
  } catch (thrown) {
    if (!(thrown instanceof CommandError)) throw thrown;
    const { code, message, hint, exitCode } = thrown;
    const diagnostic = atTheTop(file, { code, message, ...(hint === undefined ? {} : { hint }) });
    return {
      source: { file, text: "" },
      diagnostics: [diagnostic],
      prompts: [],
      exitCode,
      unread: thrown,
    };
  }
}

function tellChecked({ source, diagnostics, prompts, unread }: CheckedProgram): void {
  for (const one of prompts) tellFrames(one.diagnostics, one.source);
  if (unread === undefined) tellFrames(diagnostics, source);
  else tell(faultText(toFault(unread), paintFor(process.stderr)));
}

function nothingIn(file: string): Diagnostic {
  return atTheTop(file, {
    code: "M7203",
    message: "this file is empty",
    hint: "a program has at least one `graph NAME { … }`",
  });
}

function atTheTop(
  file: string,
  what: Pick<Diagnostic, "code" | "message"> & { readonly hint?: string },
): Diagnostic {
  return { ...what, severity: "error", file, line: 1, column: 1, endLine: 1, endColumn: 1 };
}

function summary(files: number, diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(isError).length;
  const warnings = diagnostics.filter(({ severity }) => severity === "warning").length;
  return `${counted(files, "file")}: ${counted(errors, "error")}, ${counted(warnings, "warning")}`;
}
