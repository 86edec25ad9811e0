/** Tells of each user's task that asks which target is asked about, where it came from, and whether that should be asked. */
import { markdownTable } from "../table.ts";
import type { AskedTarget, Played } from "./play.ts";
import { DIRECTORIES } from "./targets.ts";

/** The reasons for which a target is asked about, and what a careful operator says of each. */
const REASONS = {
  record:
    "an own record that the task does not name: the caller chose it, so a person looks at the choice",
  text: "a file, a mail, a page, a message or a transfer alone has it: its writer chose it, so it must be asked",
  written:
    "no result has it: the task names it otherwise, or what has it was asked about before and not read",
} as const;

type Reason = keyof typeof REASONS;

/** Returns the tables: how many tasks ask for each reason, and each target that is asked about. */
export function reasonTables(users: readonly Played[]): string {
  const rows = users.flatMap(({ suite, user, asked }) =>
    asked.map((one) => ({ suite, user, ...one, reason: reasonOf(suite, one) })),
  );
  const counts = Object.entries(REASONS).map(([reason, words]) => {
    const of = rows.filter((row) => row.reason === reason);
    const tasks = new Set(of.map(({ suite, user }) => `${suite} ${user}`));
    return [reason, `${tasks.size}`, `${of.length}`, words];
  });
  const each = rows.map(({ suite, user, tool, argument, target, origin, reason }) => [
    ...[suite, user, argument === undefined ? tool : `${tool}.${argument}`, target],
    ...[origin ?? "nowhere", reason],
  ]);
  return [
    markdownTable(["reason", "tasks", "targets", "a careful operator says"], counts),
    markdownTable(["world", "task", "argument", "target", "first seen in", "reason"], each),
  ].join("\n\n");
}

function reasonOf(suite: string, { argument = "", origin }: AskedTarget): Reason {
  if (origin === null) return "written";
  const gives = DIRECTORIES[suite]?.[origin]?.gives ?? {};
  return Object.hasOwn(gives, argument) ? "record" : "text";
}
