/** `madrigal trace`: rebuilds, compacts, prunes or publishes the traces, which are derived from the logs. */
import { once } from "node:events";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
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
  options: {
    "older-than": "text",
    keep: "text",
    published: "text",
    every: "text",
    "dry-run": "flag",
    json: "flag",
  },
  arguments: ["rebuild|compact|prune|publish", "[FOLDER]"],
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

const VERBS = { rebuild, compact, prune, publish } as const;

/** The options of each subcommand. */
const TAKES: Readonly<Record<keyof typeof VERBS, readonly string[]>> = {
  rebuild: [],
  compact: ["published", "dry-run"],
  prune: ["older-than", "keep", "dry-run"],
  publish: ["every"],
};

function readVerb(call: CommandCall): keyof typeof VERBS {
  const [word = "", folder] = call.arguments;
  const names = Object.keys(VERBS) as (keyof typeof VERBS)[];
  const verb = names.find((name) => name === word);
  if (verb === undefined) {
    const meant = nearest(word, names);
    throw new CommandError("M7103", `there is no command \`madrigal trace ${word}\``, {
      hint: meant === undefined ? `it is one of ${names.join(", ")}` : `did you mean \`${meant}\`?`,
    });
  }
  const extra = ["older-than", "keep", "published", "every", "dry-run"].find(
    (name) => !TAKES[verb].includes(name) && (call.flag(name) || call.text(name) !== undefined),
  );
  if (extra !== undefined) {
    throw new CommandError("M7102", `\`madrigal trace ${verb}\` has no option \`--${extra}\``, {
      hint: "`madrigal trace --help` shows which each of them has",
    });
  }
  if ((folder !== undefined) !== (verb === "publish")) {
    const what = folder === undefined ? "needs FOLDER" : `takes no \`${folder}\``;
    throw new CommandError("M7103", `\`madrigal trace ${verb}\` ${what}`, {
      hint: "madrigal trace publish /mnt/traces",
    });
  }
  return verb;
}

/** Once, or again and again until a signal ends it. */
async function publish(
  traces: TraceStore,
  call: CommandCall,
  session: Session,
): Promise<TraceReport> {
  const [, folder = ""] = call.arguments;
  const every = call.text("every");
  const sum = { runs: 0, files: 0 };
  const publishNew = async () => {
    await traces.ingest(session.store);
    const { runs, files } = await traces.publish(resolve(folder));
    sum.runs += runs;
    sum.files += files;
    if (every !== undefined && runs > 0) tell(`published ${counted(runs, "run")}`);
  };
  await publishNew();
  if (every !== undefined) await repeat(publishNew, durationMs(every, "--every"));
  return {
    json: { ...sum, folder: resolve(folder) },
    text: `${counted(sum.runs, "run")} published in ${counted(sum.files, "file")}`,
  };
}

/** Repeats a task until SIGINT or SIGTERM. */
async function repeat(task: () => Promise<void>, everyMs: number): Promise<void> {
  const ended = new AbortController();
  const signal = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  signal.then(() => ended.abort()).catch(() => {});
  tell("publishing; Ctrl-C ends it");
  while (!ended.signal.aborted) {
    await sleep(everyMs, undefined, { signal: ended.signal }).catch(() => {});
    await task();
  }
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
  const published = call.text("published");
  const folder = published === undefined ? {} : { published: resolve(published) };
  const done = await traces.compact({ isTrial, ...folder });
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
