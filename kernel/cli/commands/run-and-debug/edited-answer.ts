/**
 * Has a person edit what a question shows in their own editor, as `git commit` does: the value as YAML, the steps of a plan one below
 * the other. A plan is checked as the table of a notebook checks it; what is wrong stands at the top of the text when it is edited again.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DrivenRun, Interrupt } from "../../../../runtime/index.ts";
import { performersIn, planFaults } from "../../../cells/questions/plan-review.ts";
import { CommandError } from "../../../command-error.ts";
import { graphAt } from "../../../display/values/plans-of-run.ts";
import { visible } from "../../../display/visible.ts";
import { isRecord } from "../../../is-record.ts";

/** An edited value, and the file that has its text. */
export interface EditedAnswer {
  /** The words of the answer: `edit JSON`, behind `as NAME:` where the person said that. */
  readonly text: string;
  readonly file: string;
  /** Takes the file away. */
  readonly remove: () => void;
}

/** Returns whether an answer is the word `edit` alone, so that the value is still to be edited. */
export function opensEditor(text: string): boolean {
  return EDIT_ALONE.test(text.trim());
}

const EDIT_ALONE = /^(as\s+[^:]+:\s*)?edit$/i;

/** Throws `CommandError` M7104 without an editor, and where nothing was changed or the text can't be the value; then the file is kept. */
export async function editedAnswer(
  run: DrivenRun,
  interrupt: Interrupt,
  given: string,
): Promise<EditedAnswer> {
  const { id, shown } = interrupt;
  const editor = process.env.VISUAL || process.env.EDITOR;
  if (shown === undefined)
    throw new CommandError("M7104", `\`${id}\` shows nothing that could be edited`, {
      hint: "type the value: edit JSON",
    });
  if (editor === undefined || editor === "")
    throw new CommandError("M7104", "`edit` alone opens an editor, and no variable names one", {
      hint: "`export EDITOR=nano`, or type the value: edit JSON",
    });
  const { parse, stringify } = await import("yaml");
  const folder = mkdtempSync(join(tmpdir(), "madrigal-answer-"));
  const file = join(folder, "answer.yaml");
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const graph = graphAt(run.ir, pathOf(run, interrupt));
  const whose = aboutValue(interrupt, performersIn(shown, graph));
  const whole = stringify(shown, { lineWidth: 0 });
  let body = whole;
  let faults: readonly string[] = [];
  for (;;) {
    writeFileSync(file, `${commented([...faults, ...whose])}\n${body}`, { mode: 0o600 });
    await opened(editor, file);
    const text = readFileSync(file, "utf8").replace(/^(#.*\n?|\s*\n)*/, "");
    const isUnchanged = text.trimEnd() === body.trimEnd();
    if (text.trim() === "" || (isUnchanged && body === whole)) {
      remove();
      throw new CommandError("M7104", "nothing was changed, so nothing is answered", {
        hint: "`approve` takes the value as it is shown",
      });
    }
    if (isUnchanged)
      throw new CommandError("M7104", `the edited text is no answer: ${faults.join("; ")}`, {
        hint: `the question stays open, and your text is kept in ${file}`,
      });
    let value: unknown;
    try {
      value = parse(text);
      faults = isRecord(shown) && "steps" in shown ? planFaults(value, graph) : [];
    } catch (thrown) {
      faults = [String(thrown instanceof Error ? thrown.message : thrown).trim()];
    }
    if (faults.length === 0) {
      const as = EDIT_ALONE.exec(given.trim())?.[1] ?? "";
      return { text: `${as}edit ${JSON.stringify(value)}`, file, remove };
    }
    body = text;
  }
}

/** Resolves once the editor has ended. Its name may have arguments, as in `code --wait`: a shell reads it. */
async function opened(editor: string, file: string): Promise<void> {
  const child = spawn("sh", ["-c", `${editor} "$@"`, editor, file], { stdio: "inherit" });
  const [code, signal] = await once(child, "exit");
  if (code === 0) return;
  throw new CommandError("M7104", `the editor \`${editor}\` ended with ${code ?? signal}`, {
    hint: `nothing is answered; what was saved is kept in ${file}`,
  });
}

/** The calls that lead to the graph whose node asks. */
function pathOf(run: DrivenRun, { id }: Interrupt): readonly string[] {
  let path: readonly string[] = [];
  // The run replays its past while we subscribe.
  const subscription = run.events$.subscribe((event) => {
    if (event.kind === "interrupt.opened" && event.interrupt === id) path = event.path ?? [];
  });
  subscription.unsubscribe();
  return path;
}

function aboutValue(
  { node, question }: Interrupt,
  plan: ReturnType<typeof performersIn>,
): readonly string[] {
  const names = plan === null ? [] : [...plan.agents, ...plan.tools];
  return [
    `${node} asks: ${question}`,
    "Save the value as it is to be, as YAML or JSON, and close the editor. Unchanged or empty, nothing is answered.",
    ...(plan === null
      ? []
      : [
          "Move the lines of a step to do it earlier or later, delete them to drop it; `depends` lists the ids of the steps that it waits for.",
        ]),
    ...(names.length === 0
      ? []
      : [`A step is for one of these (agent, tool): ${names.join(", ")}`]),
  ];
}

/** Comments of YAML; a question and a fault may hold what models have written. */
function commented(lines: readonly string[]): string {
  return lines.map((line) => visible(line).replaceAll(/^/gm, "# ")).join("\n");
}
