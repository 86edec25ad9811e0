/** Reads the arguments that `run`, `debug` and `rerun` share: input, thread, models. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { nearest } from "../../../../dsl/index.ts";
import {
  type Graph,
  messageOf,
  RunError,
  type RunOptions,
  Session,
  workspaceAt,
} from "../../../../runtime/index.ts";
import { CommandError } from "../../../command-error.ts";
import { startThreadOf } from "../../../startup/start-thread.ts";
import type { CommandCall } from "../../arguments.ts";
import {
  chooseGraph,
  linkGraph,
  type OpenedProgram,
  openProgram,
  tellWarnings,
} from "../../program.ts";
import { promptsFor } from "../../read-prompts.ts";
import { answersOption } from "./answers-option.ts";

export interface RunCall {
  readonly session: Session;
  readonly graph: Graph;
  readonly input: Record<string, unknown>;
  readonly options: RunOptions;
  readonly models: Readonly<Record<string, string>>;
}

/** Reads the whole call, opens its program and tells what is doubtful in it. */
export async function readRun(call: CommandCall): Promise<RunCall> {
  const input = readInput(call.text("input"));
  const answers = readInput(call.text("answers"), "answers");
  const config = readInput(call.text("config"), "config");
  const asked = runOptions(call);
  const models = readModels(call.texts("model"));
  const [file = "", graphName] = call.arguments;
  const workspace = workspaceAt(process.cwd(), process.env);
  const program = await openProgram(file, {
    workspace,
    scopeFile: call.text("scope"),
    isUntyped: call.flag("no-types"),
  });
  const ir = chooseGraph(program, graphName);
  assertAliases(models, program);
  tellWarnings(program, ir);
  const folder = call.text("prompts");
  const prompts = folder === undefined ? {} : promptsFor(ir, program.graphs, folder);
  const options = {
    ...asked,
    ...answersOption(answers, program),
    ...(Object.keys(config).length === 0 ? {} : { config }),
    ...(Object.keys(prompts).length === 0 ? {} : { prompts }),
  };
  const session = new Session({ cliModels: models, startThread: startThreadOf });
  return { session, graph: linkGraph(session, program, ir), input, options, models };
}

/** Reads the JSON object that an option gives, or `@` and the path of a file that holds it. */
export function readInput(
  text: string | undefined,
  option: ObjectOption = "input",
): Record<string, unknown> {
  if (text === undefined) return {};
  const json = text.startsWith("@") ? readInputFile(text.slice(1), option) : text;
  const value = parseInput(json, { given: text, option });
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new CommandError("M7104", `\`--${option}\` is not a JSON object`, {
    hint: `it has ${OPTIONS[option].members} as members: --${option} '${OPTIONS[option].example}'`,
  });
}

const OPTIONS = {
  input: { members: "the graph's parameters", example: '{"question": "…"}' },
  answers: { members: "nodes that ask", example: '{"review": "approve"}' },
  config: { members: "settings of the file", example: '{"width": 7, "Look.width": 9}' },
} as const;

type ObjectOption = keyof typeof OPTIONS;

function readInputFile(path: string, option: ObjectOption): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw unreadableInput(path, option, cause);
  }
}

function parseInput(
  json: string,
  of: { readonly given: string; readonly option: ObjectOption },
): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw notJson(of, cause);
  }
}

function unreadableInput(path: string, option: ObjectOption, cause: unknown): CommandError {
  const message = `the file of \`--${option}\` can't be read: ${messageOf(cause)}`;
  return new CommandError("M7201", message, {
    place: { file: path },
    cause,
  });
}

function notJson(
  { given, option }: { readonly given: string; readonly option: ObjectOption },
  cause: unknown,
): CommandError {
  return new CommandError("M7104", `\`--${option}\` is not JSON: ${messageOf(cause)}`, {
    hint: given.startsWith("@")
      ? "the file must hold one JSON object"
      : `quote it for the shell: --${option} '${OPTIONS[option].example}', or name a file: --${option} @FILE`,
    cause,
  });
}

const DURABILITIES = ["sync", "async", "exit"] as const;

function runOptions(call: CommandCall): RunOptions {
  const thread = call.text("thread");
  const from = call.text("from");
  const user = call.text("user");
  const record = call.text("record");
  const mode = call.text("mode");
  const word = call.text("durability");
  const durability = DURABILITIES.find((one) => one === word);
  if (word !== undefined && durability === undefined) {
    throw new CommandError(
      "M7104",
      `\`--durability ${word}\` is none of ${DURABILITIES.join(", ")}`,
      { hint: "choose sync, async or exit; async is the default" },
    );
  }
  return {
    ...(thread === undefined ? {} : { thread }),
    ...(from === undefined ? {} : { from }),
    ...(user === undefined ? {} : { user }),
    ...(record === undefined ? {} : { record: resolve(record) }),
    ...(mode === undefined ? {} : { mode }),
    ...(durability === undefined ? {} : { durability }),
  };
}

/** `ALIAS=ID` of each `--model`. */
export function readModels(texts: readonly string[]): Readonly<Record<string, string>> {
  const pairs = texts.map((text) => {
    const [, alias, id] = /^([^=]+)=(.+)$/.exec(text) ?? [];
    if (alias !== undefined && id !== undefined)
      return [alias.trim(), fromHere(id.trim())] as const;
    throw new CommandError("M7104", `\`--model ${text}\` is not ALIAS=ID`, {
      hint: "write it as in `--model smart=rules`",
    });
  });
  return Object.fromEntries(pairs);
}

/** A cassette that a command names lies where the command is given; one that a program names, beside the program. */
function fromHere(id: string): string {
  const [, path] = /^cassette:(.+)$/.exec(id) ?? [];
  return path === undefined ? id : `cassette:${resolve(path.trim())}`;
}

export function assertAliases(
  models: Readonly<Record<string, string>>,
  { graphs, source }: OpenedProgram,
): void {
  const all = graphs.flatMap((ir) => [ir, ...(ir.graphs ?? [])]);
  const known = [...new Set(all.flatMap((ir) => ir.models.map(({ name }) => name)))];
  for (const alias of Object.keys(models)) {
    if (known.includes(alias)) continue;
    const meant = nearest(alias, known);
    throw new CommandError("M7104", `\`${source.file}\` uses no model called \`${alias}\``, {
      hint:
        meant === undefined
          ? `its models: ${known.join(", ") || "none"}`
          : `did you mean \`${meant}\`?`,
    });
  }
}

/** A model id that can't be is the call's fault when the call named it. */
export async function blamingCall<T>(
  models: Readonly<Record<string, string>>,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    const isModel = thrown instanceof RunError && ["M8103", "M8161"].includes(thrown.code);
    throw isModel && Object.keys(models).length > 0 ? wrongModel(thrown) : thrown;
  }
}

function wrongModel(cause: RunError): CommandError {
  return new CommandError(cause.code, cause.message, { hint: cause.hint, cause });
}
