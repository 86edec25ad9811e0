/** `madrigal trace`: rebuilds, compacts or prunes the traces, which are derived from the logs. */
import { nearest } from "../../../../dsl/index.ts";
import {
  type Session,
  shortRunId,
  type storedRuns,
  type TraceStore,
} from "../../../../runtime/index.ts";
import { CommandError } from "../../../command-error.ts";
import { counted } from "../../../display/visible.ts";
import { EXIT } from "../../../exit-codes.ts";
import type { CommandCall } from "../../arguments.ts";
import type { CliCommand } from "../../command.ts";
import { print, printJson, tell } from "../../output.ts";
import { openStoredRuns } from "../../stored-runs.ts";
import { count, durationMs } from "../../tidy-runs.ts";

export const command: CliCommand = {
  options: { "older-than": "text", keep: "text", "dry-run": "flag", json: "flag" },
  arguments: ["rebuild|compact|prune"],
  async run(call) {
    const verb = readVerb(call);
    const session = openStoredRuns();
    try {
      const traces = await session.traces();
      await traces.takeOver();
      const { json, text } = await VERBS[verb](traces, call, session);
      for (const { code, message, hint } of traces.warnings) {
        tell(`warning[${code}]: ${message}\n  hint: ${hint}`);
      }
      if (call.flag("json")) printJson(json);
      else print(text);
    } finally {
      await session.close();
    }
    return EXIT.done;
  },
};

interface TraceReport {
  readonly json: Readonly<Record<string, unknown>>;
  readonly text: string;
}

const VERBS = { rebuild, compact, prune } as const;

/** The options of each subcommand. */
const TAKES: Readonly<Record<keyof typeof VERBS, readonly string[]>> = {
  rebuild: [],
  compact: ["dry-run"],
  prune: ["older-than", "keep", "dry-run"],
};

function readVerb(call: CommandCall): keyof typeof VERBS {
  const [word = ""] = call.arguments;
  const names = Object.keys(VERBS) as (keyof typeof VERBS)[];
  const verb = names.find((name) => name === word);
  if (verb === undefined) {
    const meant = nearest(word, names);
    throw new CommandError("M7103", `there is no command \`madrigal trace ${word}\``, {
      hint: meant === undefined ? `it is one of ${names.join(", ")}` : `did you mean \`${meant}\`?`,
    });
  }
  const extra = ["older-than", "keep", "dry-run"].find(
    (name) => !TAKES[verb].includes(name) && (call.flag(name) || call.text(name) !== undefined),
  );
  if (extra !== undefined) {
    throw new CommandError("M7102", `\`madrigal trace ${verb}\` has no option \`--${extra}\``, {
      hint: "`madrigal trace --help` shows which each of them has",
    });
  }
  return verb;
}

async function rebuild(traces: TraceStore, _: CommandCall, session: Session): Promise<TraceReport> {
  const records = await traces.rebuild(session.store);
  const [{ n } = { n: 0 }] = await traces.query("SELECT count(*) AS n FROM runs");
  const runs = Number(n);
  return {
    json: { runs, records, file: traces.file },
    text: `${counted(runs, "run")} ${runs === 1 ? "is" : "are"} traced anew, from ${counted(records, "record")}`,
  };
}

async function compact(traces: TraceStore, call: CommandCall): Promise<TraceReport> {
  const isTrial = call.flag("dry-run");
  const done = await traces.compact({ isTrial });
  const { runs, filesBefore, filesAfter, bytesBefore, bytesAfter } = done;
  const before = counted(filesBefore, "file");
  const files = { before: filesBefore, after: filesAfter };
  const bytes = { before: bytesBefore, ...(isTrial ? {} : { after: bytesAfter }) };
  return {
    json: { dry_run: isTrial, runs, files, bytes },
    text: isTrial
      ? `${before} of ${counted(runs, "run")} would become ${filesAfter}`
      : `${before} (${counted(bytesBefore, "byte")}) of ${counted(runs, "run")} became ${filesAfter} (${counted(bytesAfter, "byte")})`,
  };
}

async function prune(traces: TraceStore, call: CommandCall): Promise<TraceReport> {
  const isTrial = call.flag("dry-run");
  const { runIds, files, bytes } = await traces.prune(pruneOptions(call));
  const lines = [...runIds.map((id) => `the trace of ${shortRunId(id)}`), ...files].map(
    (what) => `${isTrial ? "would delete" : "deleted"} ${what}`,
  );
  const runs = counted(runIds.length, "run");
  const sum = isTrial
    ? `the traces of ${runs} and ${counted(files.length, "file")} would go`
    : `the traces of ${runs} and ${counted(files.length, "file")} (${counted(bytes, "byte")}) are gone`;
  return {
    json: { dry_run: isTrial, deleted: runIds, files, bytes },
    text: [...lines, sum].join("\n"),
  };
}

function pruneOptions(call: CommandCall): storedRuns.TracePruneOptions {
  const age = call.text("older-than");
  const keep = call.text("keep");
  return {
    ...(age === undefined ? {} : { olderThanMs: durationMs(age) }),
    ...(keep === undefined ? {} : { keep: count(keep) }),
    isTrial: call.flag("dry-run"),
  };
}
