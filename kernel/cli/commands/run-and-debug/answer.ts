/** `madrigal answer RUN INTERRUPT VALUE`: answers a waiting run and continues it, unless another process does. */
import type { Answer, DrivenRun, Interrupt } from "../../../../runtime/index.ts";
import { CommandError } from "../../../command-error.ts";
import { EXIT } from "../../../exit-codes.ts";
import { answerText, readAnswer, takesYes } from "../../../read-answer.ts";
import type { CommandCall } from "../../arguments.ts";
import type { CliCommand } from "../../command.ts";
import { openToDrive } from "../../open-to-drive.ts";
import { print, printJson, tell } from "../../output.ts";
import { resumeCommand } from "../../run/report-run.ts";
import { driveRun } from "../../run/run-graph.ts";
import { noRunJson, runJson } from "../../run/run-json.ts";
import { openStoredRuns } from "../../stored-runs.ts";
import { type EditedAnswer, editedAnswer, opensEditor } from "./edited-answer.ts";

export const command: CliCommand = {
  options: { remember: "text", later: "flag", json: "flag" },
  arguments: ["RUN", "INTERRUPT", "VALUE…"],
  async run(call) {
    const remember = readRemember(call);
    const [id = "", which = "", ...words] = call.arguments;
    const session = openStoredRuns();
    const run = session.open(id);
    const typed = words.join(" ");
    const asked = chosen(run, which);
    const [only, ...more] = asked;
    const edited =
      only !== undefined && more.length === 0 && opensEditor(typed)
        ? await editedAnswer(run, only, typed)
        : undefined;
    const text = edited?.text ?? typed;
    const answers = meantBy(asked, which, text).map((one): readonly [string, Answer] => {
      const given = edited?.text ?? answerText(words, one);
      const answer = readAnswer(given, one, { folder: process.cwd() });
      return [one.id, remember === undefined ? answer : { ...answer, remember }];
    });
    const mode = call.flag("json") ? "json" : "text";
    const later = call.flag("later");
    const { owner } = session.store.find(run.id);
    if (!later && owner === undefined) {
      const { run: here, ir } = await openToDrive(session, run.id);
      const start = () => answerWith(here.answerAll(answers), edited);
      return await driveRun(session, { run: here, ir, mode, start });
    }
    // The process that drives or resumes the run loads its TypeScript; answering needs none.
    await answerWith(run.answerAll(answers, { later }), edited);
    const isTaken = !later && (await run.delivered());
    // The process that drove it has gone meanwhile: what was said is stored, and is taken in from here.
    if (!later && !isTaken) {
      const { run: here, ir } = await openToDrive(session, run.id);
      return await driveRun(session, { run: here, ir, mode, start: () => here.resume() });
    }
    if (mode === "json") printJson(runJson(run, run.ir));
    else print(storedText(run, isTaken ? owner : undefined));
    await session.close();
    return EXIT.done;
  },
  failed: noRunJson,
};

/** Takes the file of an edited answer away once that is taken; a refused one is kept. */
async function answerWith(
  answering: Promise<void>,
  edited: EditedAnswer | undefined,
): Promise<void> {
  try {
    await answering;
  } catch (thrown) {
    if (edited !== undefined) tell(`your text is kept in ${edited.file}`);
    throw thrown;
  }
  edited?.remove();
}

function storedText({ id }: DrivenRun, owner: string | undefined): string {
  return owner === undefined
    ? `stored; it is taken in by: ${resumeCommand(id)}`
    : `answered; ${owner} goes on with the run`;
}

const REMEMBER = ["call", "run", "thread"] as const;

function readRemember(call: CommandCall): Answer["remember"] {
  const word = call.text("remember");
  const remember = REMEMBER.find((one) => one === word);
  if (word === undefined || remember !== undefined) return remember;
  throw new CommandError("M7104", `\`--remember ${word}\` is none of ${REMEMBER.join(", ")}`, {
    hint: "choose call, run or thread; call is the default",
  });
}

/**
 * Returns the questions that an answer is for. `approve` to all leaves out questions that ask for a
 * text or a choice, unless there are no others, and doubts always.
 */
function meantBy(found: readonly Interrupt[], which: string, text: string): readonly Interrupt[] {
  if (which !== "all" || !/^(approve|yes)$/i.test(text.trim())) return found;
  const toApprove = found.filter(takesYes);
  if (toApprove.length > 0) return toApprove;
  const others = found.filter(({ kind }) => kind !== "doubt");
  return others.length === 0 ? found : others;
}

/** A question by its id; all those of a node, of a kind (`approval`), or `all`; several with commas between. */
function chosen(run: DrivenRun, which: string): readonly Interrupt[] {
  const words = which.split(",").map((word) => word.trim());
  const found = run.interrupts.filter(
    ({ id, node, kind }) =>
      words.includes(id) || words.includes(node) || words.includes(kind) || which === "all",
  );
  const missing = words.find(
    (word) => word !== "all" && !found.some((one) => [one.id, one.node, one.kind].includes(word)),
  );
  if (missing !== undefined) throw run.notAsked(missing);
  if (found.length === 0) throw run.notAsked(which);
  return found;
}
