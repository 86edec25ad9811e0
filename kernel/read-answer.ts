/** Reads what somebody types as an answer: a word, a word with its text, or a value. */
import { type Answer, asksForFiles, type Interrupt, readGivenFile } from "../runtime/index.ts";
import { CommandError } from "./command-error.ts";
import { visibleLine } from "./display/visible.ts";

export interface AnswerReading {
  /** The folder of the person's paths. Without it they are somewhere else, and no path is read. */
  readonly folder?: string;
}

/**
 * `as ann: yes` where several persons are asked; else and behind it as `readWords` takes it. A question for files takes
 * `file PATH` or the path alone, and for several a JSON list of paths.
 */
export function readAnswer(given: string, interrupt: Interrupt, of: AnswerReading = {}): Answer {
  const { among } = interrupt;
  const text = given.trim();
  if (asksForFiles(interrupt.schema) !== undefined && !NO_FILE.test(text))
    return { kind: "value", value: filesAt(text, interrupt, of) };
  if (among === undefined) return readWords(text, interrupt);
  // A name may have a colon in it.
  const named = among.find((name) => text.startsWith(`as ${name}:`));
  const [, as = named, rest = text] =
    named === undefined
      ? (/^as\s+([^:]+?)\s*:([\s\S]*)$/.exec(text) ?? [])
      : ["", named, text.slice(`as ${named}:`.length)];
  return { ...readWords(rest.trim(), interrupt), ...(as === undefined ? {} : { as }) };
}

/** `approve`, `deny: too dear`, `edit {"to": "Ann"}`, `revise shorter`, `value "text"`, or the value alone. */
function readWords(text: string, interrupt: Interrupt): Answer {
  if (interrupt.kind === "doubt") return ofDoubt(text);
  const [, word = "", rest = ""] =
    /^(approve|yes|deny|no|edit|revise|value)(?:[:\s]+([\s\S]*))?$/i.exec(text) ?? [];
  switch (word.toLowerCase()) {
    case "yes":
    case "approve":
      if (isYesOrNo(interrupt)) return { kind: "value", value: true };
      return takesYes(interrupt) ? bare(text, word, rest) : asValue(text, interrupt);
    case "no":
      if (isYesOrNo(interrupt) && rest === "") return { kind: "value", value: false };
      return takesYes(interrupt) ? denied(rest) : asValue(text, interrupt);
    case "deny":
      return denied(rest);
    case "edit":
      return { kind: "edit", value: asJson(rest, "edit") };
    case "revise":
      if (rest === "") throw unreadable("`revise` needs a text", "as in: revise shorter, please");
      return { kind: "revise", text: rest };
    case "value":
      return asValue(rest, interrupt);
    default:
      return asValue(text, interrupt);
  }
}

/** A no, or a value as JSON. */
const NO_FILE = /^(?:(?:deny|no|value)(?:[:\s]|$)|null$|\{)/i;

/** The words of a command line as one text: where several files are asked for, each word is a path. */
export function answerText(words: readonly string[], { schema }: Interrupt): string {
  const text = words.join(" ");
  const arePaths = words.length > 1 && asksForFiles(schema) === "several" && !NO_FILE.test(text);
  if (!arePaths) return text;
  return JSON.stringify(words[0] === "file" ? words.slice(1) : words);
}

function filesAt(text: string, interrupt: Interrupt, { folder }: AnswerReading): unknown {
  if (folder === undefined) {
    throw unreadable(
      "a path says nothing here: the file is read where it is",
      "upload it: POST /runs/RUN/questions/QUESTION/files, or `madrigal answer RUN QUESTION PATH` on the machine of the run",
    );
  }
  const path = text.replace(/^file\s+/i, "");
  if (path === "") throw unreadable("no file is named", answerForms(interrupt));
  const isSeveral = asksForFiles(interrupt.schema) === "several";
  const paths = isSeveral ? pathsIn(path) : [path];
  const files = paths.map((one) => readGivenFile(one, folder));
  return isSeveral ? files : files[0];
}

function pathsIn(text: string): readonly string[] {
  if (!text.startsWith("[")) return [text];
  const list = asJson(text, "file");
  if (Array.isArray(list) && list.every((one) => typeof one === "string")) return list;
  throw unreadable("the list of files is no list of paths", 'as in: ["a.pdf", "b.pdf"]');
}

/**
 * Reads the answer to a doubtful call, whose end was not recorded: it happened and has this result,
 * it is to be repeated, or it is to fail. Throws for any other text.
 */
function ofDoubt(text: string): Answer {
  if (/^again$/i.test(text)) return { kind: "approve" };
  const [, word = "", rest = ""] =
    /^(happened|value|fail|deny)(?:[:\s]+([\s\S]*))?$/i.exec(text) ?? [];
  if (/^(fail|deny)$/i.test(word)) return denied(rest);
  // A yes to whether it happened must never call it again, and a no must not fail it.
  if (word === "") {
    throw unreadable(
      `\`${text}\` does not say what came of the call`,
      "`happened JSON` with what it came to, `again` to call it again, or `fail`",
    );
  }
  return { kind: "value", value: rest === "" ? null : asJson(rest, word) };
}

function denied(reason: string): Answer {
  return reason === "" ? { kind: "deny" } : { kind: "deny", reason };
}

function isYesOrNo({ schema }: Interrupt): boolean {
  return schema?.type === "boolean";
}

/** A question for a text or a choice is never approved, nor is whether a call happened. */
export function takesYes({ kind }: Interrupt): boolean {
  return kind !== "input" && kind !== "select" && kind !== "doubt";
}

/** The answer that a message of another program gives: a text as a person types it, or data. */
export function answerOfMessage(
  given: string | { readonly data: unknown },
  question: Interrupt,
): Answer {
  const takesText = !takesYes(question) && question.kind !== "doubt" && isTextual(question.schema);
  if (typeof given === "string")
    return takesText ? { kind: "value", value: given } : readAnswer(given, question);
  const { data } = given;
  if (!takesYes(question)) return { kind: "value", value: data };
  if (typeof data === "boolean") return data ? { kind: "approve" } : { kind: "deny" };
  return { kind: "edit", value: data };
}

/** Returns the forms of an answer that a person may type to a question. */
export function answerForms(interrupt: Interrupt): string {
  const { among, need } = interrupt;
  if (among === undefined) return formsOf(interrupt);
  const count = need === undefined ? "" : `${need} of ${among.length} must say yes; `;
  return `${count}as ${leftToAsk(interrupt).map(visibleLine).join(" | as ")}: ${formsOf(interrupt)}`;
}

/** Returns those of several persons who have not answered yet. */
export function leftToAsk({
  among = [],
  agreed = [],
  declined = [],
}: Interrupt): readonly string[] {
  return among.filter((name) => ![...agreed, ...declined].some(({ as }) => as === name));
}

function formsOf({ kind, schema, options, tool }: Interrupt): string {
  if (kind === "doubt") return "happened JSON | again | fail";
  if (kind === "limit") return "approve | deny";
  if (options !== undefined) return options.map((option) => JSON.stringify(option)).join(" | ");
  const files = asksForFiles(schema);
  if (files !== undefined) return files === "one" ? "file PATH" : 'file PATH | ["PATH", …]';
  if (schema?.type === "boolean") return "yes | no";
  if (kind === "input" || kind === "select") return isTextual(schema) ? "text" : "JSON";
  if (kind === "edit") return "approve | edit JSON | deny";
  const revise = kind === "approval" && tool === undefined ? "" : " | revise TEXT";
  return `approve | deny: REASON | edit JSON${revise}`;
}

/** Returns whether typed text may be the answer as it is. */
export function isTextual(schema: Interrupt["schema"]): boolean {
  return schema === undefined || schema.type === "string" || schema.enum !== undefined;
}

/** Returns an example of an answer to a question, quoted for the shell. */
export function answerWords(interrupt: Interrupt): string {
  const [as] = leftToAsk(interrupt);
  return as === undefined ? wordsOf(interrupt) : `${quoted(`as ${as}:`)} ${wordsOf(interrupt)}`;
}

function wordsOf({ kind, schema, options }: Interrupt): string {
  if (kind === "doubt") return "'happened JSON' | again | fail";
  if (options !== undefined) return quoted(JSON.stringify(options[0]));
  if (asksForFiles(schema) !== undefined) return "./FILE";
  if (schema?.type === "boolean") return "true";
  if (kind === "input" || kind === "select" || kind === "edit") return "'…'";
  return "approve";
}

function quoted(json: string): string {
  return /^[\w.-]+$/.test(json) ? json : `'${json.replaceAll("'", "'\\''")}'`;
}

function bare(text: string, word: string, rest: string): Answer {
  if (rest === "") return { kind: "approve" };
  throw unreadable(`\`${text}\` says more than \`${word}\``, "approve alone, or: edit JSON");
}

/** JSON; where it is none, the text itself, if a text is asked for. */
function asValue(text: string, interrupt: Interrupt): Answer {
  const { schema, options, question } = interrupt;
  try {
    return { kind: "value", value: JSON.parse(text) };
  } catch (cause) {
    if (text !== "" && (isTextual(schema) || options !== undefined))
      return { kind: "value", value: text };
    throw unreadable(
      `\`${text}\` is no JSON, and no answer to: ${question}`,
      answerForms(interrupt),
      cause,
    );
  }
}

function asJson(text: string, word: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unreadable(
      `what follows \`${word}\` is not JSON: ${text === "" ? "nothing" : text}`,
      `quote it for the shell, as in: '${word} {"to": "Ann"}'`,
      cause,
    );
  }
}

function unreadable(message: string, hint: string, cause?: unknown): CommandError {
  return new CommandError("M7104", message, { hint, ...(cause === undefined ? {} : { cause }) });
}
