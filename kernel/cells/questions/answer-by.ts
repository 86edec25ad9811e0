/** Gives a run what somebody typed at the notebook, and remembers where they typed it. */
import { type Answer, type DrivenRun, type Interrupt, RunError } from "../../../runtime/index.ts";
import { CommandError } from "../../command-error.ts";
import { visible } from "../../display/visible.ts";
import { readAnswer } from "../../read-answer.ts";
import type { Upload } from "./upload.ts";

/** The questions that are being answered in each run, by id, with the means of the answer. */
const answering = new WeakMap<DrivenRun, Map<string, "form" | "box">>();

/**
 * Answers a question with typed text, or as a form has it. Returns the reason if the run does not accept it; undefined
 * if it does, or if the question was answered meanwhile.
 */
export async function answerBy(
  given: string | Answer,
  interrupt: Interrupt,
  { run, where }: { readonly run: DrivenRun; readonly where: "form" | "box" },
): Promise<string | undefined> {
  const { id } = interrupt;
  const underWay = answering.get(run) ?? new Map();
  answering.set(run, underWay);
  try {
    const answer =
      typeof given === "string" ? readAnswer(given, interrupt, { folder: process.cwd() }) : given;
    underWay.set(id, where);
    await run.answer(id, answer);
    return undefined;
  } catch (thrown) {
    // Somebody else was faster.
    if (thrown instanceof RunError && thrown.code === "M5310") return undefined;
    return faultText(thrown);
  } finally {
    underWay.delete(id);
  }
}

/**
 * Takes a piece of the files that a form sends, or answers the question with those that are whole. Returns as `answerBy`.
 */
export async function answerByUpload(
  { piece, uploaded }: Readonly<Record<"piece" | "uploaded", unknown>>,
  upload: Upload,
  { run, interrupt }: { readonly run: DrivenRun; readonly interrupt: Interrupt },
): Promise<string | undefined> {
  let value: unknown;
  try {
    if (uploaded === undefined) {
      upload.take(piece);
      return undefined;
    }
    const files = upload.end(uploaded);
    value = files.length === 1 ? files[0] : files;
  } catch (thrown) {
    return faultText(thrown);
  }
  return await answerBy({ kind: "value", value }, interrupt, { run, where: "form" });
}

/** Returns what a person is told of an error of theirs; throws any other. */
function faultText(thrown: unknown): string {
  if (!(thrown instanceof RunError || thrown instanceof CommandError)) throw thrown;
  const hint = thrown.hint === undefined ? "" : `\n  hint: ${visible(thrown.hint)}`;
  return `error[${thrown.code}]: ${visible(thrown.message)}${hint}`;
}

/**
 * Returns the means by which the person of this kernel is answering the question now; `code` if by
 * neither form nor box.
 */
export function answeredIn(run: DrivenRun, id: string): "form" | "box" | "code" {
  return answering.get(run)?.get(id) ?? "code";
}
