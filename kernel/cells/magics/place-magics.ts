/** Runs `%cd`, `%env` and `%who`: the folder, the variables of the process, and the names that cells declared. */
import { homedir } from "node:os";
import { resolve } from "node:path";
import { inspect } from "node:util";
import { redaction } from "../../../runtime/index.ts";
import { Rows } from "../../display/index.ts";
import type { AtWork } from "../notebook.ts";
import { PlainSentence } from "./listing.ts";
import { type MagicCall, wrongAt } from "./read-magic.ts";

/** `%cd [FOLDER]`: changes the working folder of the kernel; without one shows it. Throws M7519 for one that can't be entered. */
export function runCd(call: MagicCall): unknown {
  const [folder] = call.words;
  if (folder === undefined) return process.cwd();
  try {
    process.chdir(resolve(folder.text.replace(/^~(?=\/|$)/, homedir())));
  } catch (thrown) {
    throw wrongAt(call.source, folder, {
      code: "M7519",
      message: `the folder \`${folder.text}\` can't be entered: ${(thrown as Error).message}`,
      hint: `this one is ${process.cwd()}`,
    });
  }
  return process.cwd();
}

/** `%env [NAME[=VALUE]]`: sets or shows variables. Values of secrets, by their names or their form, are not shown. */
export function runEnv(call: MagicCall): unknown {
  const [word] = call.words;
  const [, name, value] = /^([^=]+)(?:=([\s\S]*))?$/.exec(word?.text ?? "") ?? [];
  if (name !== undefined && value !== undefined) process.env[name] = value;
  const names = name === undefined ? Object.keys(process.env).sort() : [name];
  const secrets = new Set(redaction.secretsOf(process.env).map((secret) => secret.name));
  const shown = (one: string) => {
    const text = process.env[one];
    if (text === undefined) return "(not set)";
    const isSecret = secrets.has(one) || redaction.withoutForms(text) !== text;
    return isSecret ? "(set, hidden)" : text;
  };
  return new Rows(names.map((one) => ({ variable: one, value: shown(one) })));
}

const VALUE_CHARACTERS = 80;

/** `%who [NAME]`: the names that cells declared, with the types and the beginnings of their values. */
export function runWho(call: MagicCall, { notebook }: AtWork): unknown {
  const [part] = call.words;
  const names = Object.keys(notebook.names)
    .filter((name) => part === undefined || name.includes(part.text))
    .sort();
  if (names.length === 0)
    return new PlainSentence(
      part === undefined ? "no cell has declared a name" : `no name has \`${part.text}\` in it`,
    );
  return new Rows(names.map((name) => ({ name, ...describeValue(notebook.names[name]) })));
}

/** The type of a value and its beginning, without calling anything of it. */
export function describeValue(value: unknown): { readonly type: string; readonly value: string } {
  const text = briefText(value);
  const cut = text.length > VALUE_CHARACTERS ? `${text.slice(0, VALUE_CHARACTERS - 1)}…` : text;
  return { type: typeName(value), value: cut };
}

/** Nothing of the value is called: neither getters nor ways of its own to show itself. */
function briefText(value: unknown): string {
  try {
    const options = {
      depth: 1,
      breakLength: Number.POSITIVE_INFINITY,
      maxArrayLength: 5,
      maxStringLength: 100,
      getters: false,
      customInspect: false,
    };
    return inspect(value, options).replaceAll(/\s+/g, " ");
  } catch {
    return "(it throws when it is looked at)";
  }
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return `array of ${value.length}`;
  if (typeof value !== "object") return typeof value;
  try {
    const made: unknown = Object.getPrototypeOf(value)?.constructor;
    return typeof made === "function" && made.name !== "" ? made.name : "object";
  } catch {
    return "object";
  }
}
