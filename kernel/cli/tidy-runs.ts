/** Deletes and prunes runs for `madrigal runs`: each as a whole, and never one that a process drives. */
import { type Session, shortRunId } from "../../runtime/index.ts";
import { CommandError } from "../command-error.ts";
import { counted } from "../display/visible.ts";
import type { CommandCall } from "./arguments.ts";
import { print, printJson } from "./output.ts";

/** The runs that are named, or all of a thread with what it keeps; imported ones too. */
export async function deleteRuns(session: Session, call: CommandCall): Promise<void> {
  const ids = call.arguments.slice(1);
  const thread = call.text("thread");
  if ((ids.length === 0) === (thread === undefined)) throw whatToDelete(thread);
  const gone =
    thread === undefined
      ? ids.map((id) => session.spans.delete(id) ?? session.stored.delete(id))
      : await deleteThread(session, thread);
  if (call.flag("json")) {
    printJson({ deleted: gone });
    return;
  }
  for (const id of gone) print(`deleted ${shortRunId(id)}`);
  if (gone.length === 0) print(`no runs of thread \`${thread}\``);
}

async function deleteThread({ stored, spans }: Session, thread: string): Promise<string[]> {
  const imported = await spans.list({ thread });
  return [
    ...stored.deleteThread(thread),
    ...imported.flatMap(({ run_id }) => spans.delete(run_id) ?? []),
  ];
}

/** Ended runs that are old, imported ones too, and artifacts that no run names. */
export async function pruneRuns({ stored, spans }: Session, call: CommandCall): Promise<void> {
  const [, extra] = call.arguments;
  if (extra !== undefined) {
    throw new CommandError("M7103", `\`${extra}\` is one argument too many`, {
      hint: "madrigal runs prune --older-than 30d; madrigal runs delete RUN",
    });
  }
  const age = call.text("older-than");
  const keep = call.text("keep");
  const isTrial = call.flag("dry-run");
  const options = {
    ...(age === undefined ? {} : { olderThanMs: durationMs(age) }),
    ...(keep === undefined ? {} : { keep: count(keep) }),
    ...(isTrial ? { isTrial } : {}),
  };
  const { runIds: own, artifacts, bytes } = stored.prune(options);
  const runIds = [...own, ...(await spans.prune(options))];
  if (call.flag("json")) {
    printJson({ deleted: runIds, dry_run: isTrial, artifacts, bytes });
    return;
  }
  for (const id of runIds) print(`${isTrial ? "would delete" : "deleted"} ${shortRunId(id)}`);
  const runs = counted(runIds.length, "run");
  if (!isTrial)
    print(`${runs} and ${counted(artifacts, "artifact")} (${counted(bytes, "byte")}) are gone`);
  else print(`${runs} would go`);
}

const UNITS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/**
 * Returns the value of an option, such as `--older-than`, in milliseconds. Throws `CommandError` M7104 for a text that
 * is no duration.
 */
export function durationMs(text: string, option = "--older-than"): number {
  const [, number, unit = ""] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  if (number !== undefined) return Number(number) * (UNITS[unit] ?? 0);
  throw new CommandError("M7104", `\`${option} ${text}\` is no duration`, {
    hint: "a whole number with s, m, h, d or w: `30d`; `0s` is any age",
  });
}

/** Returns the value of `--keep`. Throws `CommandError` M7104 for a text that is no number. */
export function count(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new CommandError("M7104", `\`--keep ${text}\` is no number of runs`, {
    hint: "give a number: as many of the newest runs of each thread stay, whatever their age",
  });
}

function whatToDelete(thread: string | undefined): CommandError {
  const message =
    thread === undefined
      ? "`madrigal runs delete` needs RUN"
      : "`madrigal runs delete` takes runs or a thread, and was given both";
  return new CommandError("M7103", message, {
    hint: "madrigal runs delete RUN…, or madrigal runs delete --thread ID",
  });
}
