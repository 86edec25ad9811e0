/** `madrigal threads`: shows, edits, resets, migrates and forks what threads and users keep between runs, and the answers of people. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type Ir, nearest } from "../../../../dsl/index.ts";
import {
  type KeptStates,
  redaction,
  type Session,
  shortRunId,
  type storedRuns,
  workspaceAt,
} from "../../../../runtime/index.ts";
import { CommandError } from "../../../command-error.ts";
import { rememberedAnswerTable } from "../../../display/remembered-answers.ts";
import { type TextColumn, textTable } from "../../../display/text-table.ts";
import { counted, visible } from "../../../display/visible.ts";
import { EXIT } from "../../../exit-codes.ts";
import { importFrom } from "../../../programs/import-module.ts";
import { notLoaded } from "../../../programs/load-scope.ts";
import type { CommandCall } from "../../arguments.ts";
import type { CliCommand } from "../../command.ts";
import { readFields } from "../../fields-option.ts";
import { timeText } from "../../numbers.ts";
import { print, printJson } from "../../output.ts";
import { chooseGraph, openProgram } from "../../program.ts";
import { openStoredRuns } from "../../stored-runs.ts";

const STATE_VERBS = ["show", "edit", "reset", "migrate", "fork"] as const;

const VERBS = [...STATE_VERBS, "answers", "forget"] as const;

type ThreadsVerb = (typeof STATE_VERBS)[number];

export const command: CliCommand = {
  options: { user: "text", set: "text", with: "text", for: "text", json: "flag" },
  arguments: ["[show|edit|reset|migrate|fork|answers|forget]", "[THREAD]", "[FIELD…]"],
  async run(call) {
    const [verb, ...words] = call.arguments;
    if (verb === "answers" || verb === "forget") return await workOnAnswers(call, verb, words);
    const asked = readAsked(call);
    const graph = await graphOf(call.text("for"));
    const session = openStoredRuns();
    try {
      if (asked === undefined) showAll(session, call);
      else await work(session, call, { ...asked, graph });
      return EXIT.done;
    } finally {
      await session.close();
    }
  },
};

interface ThreadsCall {
  readonly verb: ThreadsVerb;
  readonly scope: "thread" | "user";
  readonly owner: string;
  readonly fields: readonly string[];
}

/**
 * Reads the owner of the values, and the action on them, from the arguments; undefined for the list
 * of all. Throws `CommandError` M7104 for wrong ones.
 */
function readAsked(call: CommandCall): ThreadsCall | undefined {
  const [word, ...words] = call.arguments;
  if (word === undefined) {
    assertOptions(call, "threads", ["json"]);
    return undefined;
  }
  const verb = STATE_VERBS.find((one) => one === word);
  if (verb === undefined) throw unknownVerb(word);
  const user = call.text("user");
  const [thread, ...rest] = words;
  const owner = user ?? thread;
  const fields = user === undefined ? rest : words;
  if (owner === undefined)
    throw wrongCall(`\`madrigal threads ${verb}\` needs THREAD or --user ID`);
  if (verb === "fork" && fields.length === 0)
    throw wrongCall("`madrigal threads fork` needs THREAD and the name of the new one");
  const most = { show: 0, edit: 0, migrate: 0, fork: 1, reset: Number.POSITIVE_INFINITY }[verb];
  if (fields.length > most) throw wrongCall(`\`${fields[most]}\` is one argument too many`);
  assertOptions(call, `threads ${verb}`, OPTIONS[verb]);
  return { verb, scope: user === undefined ? "thread" : "user", owner, fields };
}

const OPTIONS = {
  show: ["user", "json"],
  edit: ["user", "json", "set", "for"],
  reset: ["user", "json"],
  migrate: ["user", "json", "with", "for"],
  fork: ["json"],
} as const;

function assertOptions(call: CommandCall, words: string, known: readonly string[]): void {
  const foreign = ["user", "set", "with", "for"].find(
    (name) => call.text(name) !== undefined && !known.includes(name),
  );
  if (foreign === undefined) return;
  throw wrongCall(`\`madrigal ${words}\` takes no \`--${foreign}\``);
}

async function work(
  session: Session,
  call: CommandCall,
  { verb, scope, owner, fields, graph }: ThreadsCall & { readonly graph: Ir | undefined },
): Promise<void> {
  const states = scope === "thread" ? session.stored.threads : session.stored.users;
  const options = graph === undefined ? {} : { graph: { ir: graph } };
  const state = await changed();
  if (call.flag("json")) printJson(jsonOf(session, state));
  else print(keptStateText(session, state));

  async function changed(): Promise<storedRuns.KeptState> {
    switch (verb) {
      case "show":
        return states.show(owner);
      case "edit":
        return states.edit(owner, readFields(call) ?? missing("--set JSON"), options);
      case "reset":
        return states.reset(owner, fields.length === 0 ? undefined : fields);
      case "fork": {
        const [name = ""] = fields;
        session.stored.copyThread(owner, name);
        return states.show(name);
      }
      case "migrate":
        return await states.migrate(owner, await migration(call), options);
    }
  }
}

function missing(option: string): never {
  throw wrongCall(`\`${option}\` is missing`);
}

/** Lists the answers that threads remember, or takes some back. */
async function workOnAnswers(
  call: CommandCall,
  verb: "answers" | "forget",
  words: readonly string[],
): Promise<number> {
  assertOptions(call, `threads ${verb}`, ["json"]);
  if (verb === "forget" && words.length === 0)
    throw wrongCall("`madrigal threads forget` needs the ID of an answer");
  if (verb === "answers" && words.length > 1)
    throw wrongCall(`\`${words[1]}\` is one argument too many`);
  const session = openStoredRuns();
  try {
    const { answers } = session.stored;
    const found = verb === "forget" ? answers.forget(words) : answers.list(words[0]);
    if (call.flag("json")) printJson({ answers: found.map(answerJson) });
    else if (verb === "forget")
      print(`${counted(found.length, "answer")} taken back; runs that start from now on ask again`);
    else print(found.length === 0 ? "no thread remembers an answer" : rememberedAnswerTable(found));
    return EXIT.done;
  } finally {
    await session.close();
  }
}

function answerJson({ runId, at, ...answer }: storedRuns.RememberedAnswer) {
  return { ...answer, run_id: runId, at: new Date(at).toISOString() };
}

/** `FILE.ts`, whose default export it is, or `FILE.ts#NAME`. */
async function migration(call: CommandCall): Promise<Parameters<KeptStates["migrate"]>[1]> {
  const text = call.text("with") ?? missing("--with FILE.ts");
  const [file = "", name = "default"] = text.split("#");
  const path = resolve(file);
  if (!existsSync(path)) {
    throw new CommandError("M7201", `there is no file \`${file}\``, { place: { file } });
  }
  const exported = await exportsOf(file, path);
  const found = Object.hasOwn(exported, name) ? exported[name] : undefined;
  if (typeof found === "function") return found as Parameters<KeptStates["migrate"]>[1];
  throw new CommandError("M7104", `\`${file}\` exports no function \`${name}\``, {
    hint: "`--with FILE.ts` takes its default export, `--with FILE.ts#NAME` the one of that name",
    place: { file },
  });
}

async function exportsOf(file: string, path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await importFrom(path, path);
  } catch (cause) {
    throw notLoaded(file, { cause, place: { file }, exitCode: EXIT.wrong });
  }
}

/** `FILE`, which has one graph, or `FILE#GRAPH`. */
async function graphOf(text: string | undefined): Promise<Ir | undefined> {
  if (text === undefined) return undefined;
  const [file = "", name] = text.split("#");
  const workspace = workspaceAt(process.cwd(), process.env);
  return chooseGraph(await openProgram(file, { workspace }), name);
}

function showAll(session: Session, call: CommandCall): void {
  const { threads, users } = session.stored;
  const all = [...threads.list(), ...users.list()];
  if (call.flag("json")) printJson({ kept: all.map((state) => jsonOf(session, state)) });
  else print(all.length === 0 ? "no thread and no user keeps anything" : textTable(columns, all));
}

const columns: readonly TextColumn<storedRuns.KeptState>[] = [
  { title: "of", cell: ({ scope }) => scope },
  { title: "id", cell: ({ owner }) => visible(owner) },
  { title: "keeps", cell: ({ fields }) => visible(fields.map(({ name }) => name).join(", ")) },
  {
    title: "written (UTC)",
    cell: ({ fields }) => timeText(Math.max(...fields.map(({ updatedAt }) => updatedAt))),
  },
];

function keptStateText(session: Session, { scope, owner, fields }: storedRuns.KeptState): string {
  const head = `${scope} ${owner}`;
  if (fields.length === 0) return visible(`${head} keeps nothing: its fields begin anew`);
  const lines = fields.map((field) => {
    const { name, runId, updatedAt } = field;
    const by = runId === undefined ? "by a person" : `by run ${shortRunId(runId)}`;
    const value = JSON.stringify(shownField(session, field), null, 2);
    return `${name} (written ${timeText(updatedAt)} ${by}):\n${value}`;
  });
  return visible([head, ...lines].join("\n\n"));
}

function jsonOf(
  session: Session,
  { scope, owner, fields }: storedRuns.KeptState,
): Readonly<Record<string, unknown>> {
  return {
    scope,
    id: owner,
    fields: fields.map((field) => ({
      name: field.name,
      value: shownField(session, field),
      run_id: field.runId ?? null,
      updated_at: new Date(field.updatedAt).toISOString(),
    })),
  };
}

/**
 * Without what is private in it, and what looks like a secret. A person writes without a program, and the run that wrote may be gone:
 * so what any stored program declares private under this name is hidden, and a thread's field that was stored as private.
 */
function shownField(
  { store }: Session,
  { name, value, runId, isPrivate }: storedRuns.KeptFieldState,
): unknown {
  const field = name.split(".").at(-1) ?? name;
  const state = { [field]: value };
  const plain = (redaction.redactForTrace(state) as typeof state)[field];
  const programs = new Map<string, string>();
  const runs = store.list();
  for (const run of [...runs.filter((one) => one.runId === runId), ...runs])
    if (!programs.has(run.graphHash)) programs.set(run.graphHash, run.runId);
  for (const id of programs.values()) {
    const shown = redaction.shownValue(state, { ir: store.meta(id).ir, state })[field];
    if (!isDeepStrictEqual(shown, plain)) return shown;
  }
  // All of its runs are deleted, and what is private within it was said there.
  return isPrivate === true ? redaction.hidden(value) : plain;
}

function unknownVerb(word: string): CommandError {
  const meant = nearest(word, VERBS);
  return new CommandError("M7103", `there is no command \`madrigal threads ${word}\``, {
    hint:
      meant === undefined
        ? "madrigal threads lists them; show, edit, reset and migrate take a THREAD or --user ID"
        : `did you mean \`${meant}\`?`,
  });
}

function wrongCall(message: string): CommandError {
  return new CommandError("M7103", message, {
    hint: "madrigal threads show THREAD; answers [THREAD]; forget ID…; edit THREAD --set JSON; reset THREAD [FIELD…]; migrate THREAD --with FILE.ts; --user ID in the place of THREAD",
  });
}
