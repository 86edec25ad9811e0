/** `madrigal memory`: shows, edits, approves and forgets what memories have. */
import { readFileSync } from "node:fs";
import { nearest } from "../../../../dsl/index.ts";
import { type Session, shortRunId, storedRuns } from "../../../../runtime/index.ts";
import { CommandError } from "../../../command-error.ts";
import { memoryTable, ownerText } from "../../../display/memory-table.ts";
import { counted, visible } from "../../../display/visible.ts";
import { EXIT } from "../../../exit-codes.ts";
import type { CommandCall } from "../../arguments.ts";
import type { CliCommand } from "../../command.ts";
import { timeText } from "../../numbers.ts";
import { print, printJson } from "../../output.ts";
import { openStoredRuns } from "../../stored-runs.ts";
import { learn } from "./learn.ts";

const VERBS = [
  ...(["list", "show", "edit", "approve", "delete", "export", "import"] as const),
  "learn",
] as const;

type MemoryVerb = Exclude<(typeof VERBS)[number], "learn">;

export const command: CliCommand = {
  options: {
    user: "text",
    state: "text",
    set: "text",
    program: "text",
    model: "texts",
    "redact-logs": "flag",
    json: "flag",
  },
  arguments: ["[list|show|edit|approve|delete|export|import|learn]", "[ID…]"],
  async run(call) {
    const [word = "list", ...words] = call.arguments;
    const verb = VERBS.find((one) => one === word) ?? unknown(word);
    if (verb === "learn") return await learn(call, words.length === 0 ? missing("RUN") : words);
    const session = openStoredRuns();
    try {
      work(session, call, { verb, words });
      // Files of traces have what was redacted until they are made anew.
      if (verb === "delete" && call.flag("redact-logs")) await session.traces();
      return EXIT.done;
    } finally {
      await session.close();
    }
  },
};

function work(
  session: Session,
  call: CommandCall,
  { verb, words }: { readonly verb: MemoryVerb; readonly words: readonly string[] },
): void {
  const { memories } = session.stored;
  const [first] = words;
  switch (verb) {
    case "list": {
      const filter = filterOf(call, first);
      const entries = memories.list(filter);
      const none =
        Object.keys(filter).length > 0 ? "no memory has such an entry" : "no memory has an entry";
      if (call.flag("json")) printJson({ entries });
      else print(entries.length === 0 ? none : memoryTable(entries));
      return;
    }
    case "show":
      showEntry(call, memories.find(first ?? missing("ID")));
      return;
    case "edit":
      showEntry(call, memories.edit(first ?? missing("ID"), readValue(call)));
      return;
    case "approve": {
      const ids = words.length === 0 ? missing("ID") : words;
      const entries = ids.map((id) => memories.approve(id));
      if (call.flag("json")) printJson({ entries });
      else print(`${counted(entries.length, "record")} approved`);
      return;
    }
    case "delete":
      forget(session, call, words);
      return;
    case "export":
      process.stdout.write(memories.export(filterOf(call, first)));
      return;
    case "import": {
      const user = call.text("user");
      const text = readText(first ?? missing("FILE"));
      const number = memories.import(text, user === undefined ? {} : { user });
      if (call.flag("json")) printJson({ entries: number });
      else print(`${counted(number, "record")} stored`);
    }
  }
}

function forget({ stored }: Session, call: CommandCall, words: readonly string[]): void {
  const { memories } = stored;
  const user = call.text("user");
  if (user !== undefined && words.length > 0)
    throw wrongCall("`--user` deletes all entries of a user, and an ID one: say one of both");
  const ids = user === undefined ? words : memories.list({ user }).map(({ id }) => id);
  if (user === undefined && ids.length === 0) missing("ID, or --user ID,");
  const done = memories.forget(ids, { redactLogs: call.flag("redact-logs") });
  if (call.flag("json")) {
    printJson({ entries: done.entries, run_ids: done.runIds, redacted: done.isRedacted });
    return;
  }
  print(`${counted(done.entries, "record")} deleted`);
  if (done.runIds.length === 0) return;
  const runs = done.runIds.map(shortRunId).join(", ");
  print(
    done.isRedacted
      ? `taken out of the logs of ${runs}; exports, artifacts and .madrigal/traces/live-*.duckdb keep what they have`
      : `the logs of ${runs} have it still; --redact-logs, said with the ID, takes it out of them`,
  );
}

function filterOf(call: CommandCall, memory: string | undefined): storedRuns.MemoryFilter {
  const user = call.text("user");
  const state = call.text("state");
  const known = storedRuns.MEMORY_STATES.find((one) => one === state);
  if (state !== undefined && known === undefined)
    throw wrongCall(
      `\`--state\` is one of ${storedRuns.MEMORY_STATES.join(", ")}, not \`${state}\``,
    );
  return {
    ...(memory === undefined ? {} : { memory }),
    ...(user === undefined ? {} : { user }),
    ...(known === undefined ? {} : { state: known }),
  };
}

function showEntry(call: CommandCall, entry: storedRuns.MemoryEntry): void {
  if (call.flag("json")) {
    printJson({ ...entry });
    return;
  }
  const { id, memory, state, source, at, expiresAt, supersededBy, value } = entry;
  const by = source.runId === "" ? "a person" : `run ${shortRunId(source.runId)}, ${source.node}`;
  const lines = [
    `${id}  ${memory} of ${ownerText(entry)}  ${state}`,
    `stored ${timeText(at)} by ${by}`,
    ...(expiresAt === undefined ? [] : [`expires ${timeText(expiresAt)}`]),
    ...(supersededBy === undefined ? [] : [`superseded by ${supersededBy}`]),
    JSON.stringify(value, undefined, 2),
  ];
  print(lines.map(visible).join("\n"));
}

function readValue(call: CommandCall): unknown {
  const text = call.text("set") ?? missing("--set JSON");
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw notJson(cause);
  }
}

function notJson(cause: unknown): CommandError {
  return new CommandError("M7104", "`--set` is not JSON", {
    hint: "a text stands in quotes: --set '\"she likes tea\"'",
    cause,
  });
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

function unreadable(file: string, cause: unknown): CommandError {
  return new CommandError("M7201", `\`${file}\` can't be read`, { place: { file }, cause });
}

function missing(what: string): never {
  throw wrongCall(`\`${what}\` is missing`);
}

function unknown(word: string): never {
  const meant = nearest(word, VERBS);
  throw new CommandError("M7103", `there is no command \`madrigal memory ${word}\``, {
    hint: meant === undefined ? `it has ${VERBS.join(", ")}` : `did you mean \`${meant}\`?`,
  });
}

function wrongCall(message: string): CommandError {
  return new CommandError("M7103", message, {
    hint: "madrigal memory list [MEMORY]; show ID; edit ID --set JSON; approve ID…; delete ID…; export; import FILE; learn RUN…",
  });
}
