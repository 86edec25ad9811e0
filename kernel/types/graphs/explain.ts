/** Turns a TypeScript error about generated text into a diagnostic M35xx on the person's text. */
import type { Code, Finding, Span } from "../../../dsl/index.ts";
import type { TextDiagnostic } from "../compiler/errors-of.ts";
import type { Purpose } from "./generator/mapped-text.ts";

/** The purpose, the span and the wanted type of the text that an error is about. */
export interface Explaining {
  readonly purpose: Purpose;
  /** The purpose of the expression around it. */
  readonly within: Purpose;
  readonly span: Span;
  /** The type that is wanted there as the program writes it, where that is known. */
  readonly wanted?: string | undefined;
}

/** Turns a TypeScript error in the check of a graph into a finding in the words of the language. */
export function explain(diagnostic: TextDiagnostic, at: Explaining): Finding {
  const plain = inPlainWords(diagnostic.message);
  const found = byNumber(diagnostic, plain.message) ?? byPurpose(at, diagnostic, plain.message);
  const { code, message } = found;
  const hint = plain.meant === undefined ? found.hint : `did you mean \`${plain.meant}\`?`;
  return { code, message, span: at.span, ...(hint === undefined ? {} : { hint }) };
}

interface Explained {
  readonly code: Code;
  readonly message: string;
  readonly hint?: string;
}

/**
 * Returns the finding for a TypeScript error whose number alone decides it; undefined for any
 * other.
 */
function byNumber({ code, message }: TextDiagnostic, plainMessage: string): Explained | undefined {
  const [first = "", second = ""] = quoted(message);
  switch (code) {
    case 2304:
    case 2503:
    case 2552:
    case 18004:
      return {
        code: "M3501",
        message: `nothing is called \`${first}\``,
        hint: "declare it in a TypeScript cell above, or import it",
      };
    case 2339:
    case 2551:
      return { code: "M3502", message: `there is no \`${first}\` in \`${ownName(second)}\`` };
    case 2349:
    case 2351:
      return {
        code: "M3504",
        message: "this is called, and is no function",
        hint: "name a function of a TypeScript cell or file",
      };
    case 2554:
    case 2555:
      return { code: "M3503", message: plainMessage };
    case 2362:
    case 2363:
      return {
        code: "M3519",
        message: "arithmetic needs a number here",
        hint: "`Number(text)` is the number that a text says",
      };
    case 2365:
    case 2367: {
      if (!/^Operator/.test(message)) return undefined;
      const [, , third = ""] = quoted(message);
      return {
        code: "M3519",
        message: `\`${first}\` takes no \`${second}\` with a \`${third}\``,
        hint: "both sides are numbers, or both are texts: `Number(text)`, `String(value)`",
      };
    }
    case 2488:
      return { code: "M3507", message: `\`${first}\` is no list`, hint: "name a list" };
    case 2769:
      return {
        code: "M3503",
        message: "these arguments fit no way to call it",
        hint: "see what it takes: the type of what it begins with, and of each item",
      };
    case 2307:
    case 2305:
    case 2459:
    case 2614:
    case 2724:
      return { code: "M3511", message: plainMessage };
    default:
      return undefined;
  }
}

/** A type of the prelude as the program says it: `run` has no type that it could name. */
function ownName(type: string): string {
  return type === "Run" || type === "Call" ? type.toLowerCase() : type;
}

/** The numbers that say that a value is not assignable to what its place takes. */
const NOT_ASSIGNABLE: readonly number[] = [2322, 2345, 2504, 2740, 2741];

/** Returns the finding for any other TypeScript error: a value that does not fit its place. */
function byPurpose(at: Explaining, diagnostic: TextDiagnostic, plainMessage: string): Explained {
  const { purpose } = at;
  const [found = "", taken = ""] = quoted(diagnostic.message);
  if (diagnostic.code === UNKNOWN_MEMBER)
    return {
      code: isWrite(purpose) || isWrite(at.within) ? "M3508" : "M3503",
      message: `there is no \`${found.replaceAll('"', "")}\` in \`${taken}\``,
      hint: "leave it out, or add it to the type",
    };
  const isPart = diagnostic.code === NO_FIT;
  const isMember = purpose === "member" || at.within === "member";
  if (isMember && NO_MEMBER.includes(diagnostic.code)) return NO_OBJECT;
  const wanted = isPart || purpose === "route" ? taken : (at.wanted ?? taken);
  if (purpose !== "comparison" && !NOT_ASSIGNABLE.includes(diagnostic.code))
    return { code: "M3519", message: plainMessage };
  const isPlain = diagnostic.code === 2345;
  const fits = isPlain || isPart ? `\`${found}\` does not fit \`${wanted}\`` : plainMessage;
  switch (purpose) {
    case "argument":
      return { code: "M3503", message: fits };
    case "condition":
      return {
        code: "M3505",
        message: `a condition is true or false, and this is \`${found}\``,
        hint: "compare it with something",
      };
    case "shown":
      return {
        code: "M3506",
        message: `a value of \`${found}\` can't be shown in a text`,
        hint: "name a member of it, or call a function that makes a text of it",
      };
    case "items":
      return {
        code: "M3507",
        message: `\`each\` needs a list or a stream, and this is \`${found}\``,
        hint: "name a field or an expression that is a list",
      };
    case "write":
    case "member":
    case "default":
      return { code: "M3508", message: fits };
    case "reducer":
      return { code: "M3509", message: fits };
    case "tool":
      return {
        code: "M3504",
        message: `a tool is a function, and this is \`${found}\``,
        hint: "name a function, or make a tool with `tool(fn, { … })`",
      };
    case "case":
      return {
        code: "M3510",
        message: "this case can never occur",
        hint: "correct the value, or remove the case",
      };
    case "missing-case":
      return missingCase(diagnostic.message);
    case "route":
      return {
        code: "M3512",
        message: `\`${found}\` is none of the names behind the arrow: \`${wanted}\``,
        hint: "name it behind the arrow, or give the function a return type of these names",
      };
    case "pause":
      return {
        code: "M3513",
        message: `a pause is a duration, and this is \`${found}\``,
        hint: 'write it as `5m`, or as `daily("09:00")`',
      };
    case "comparison":
      return neverEqual(found, wanted);
    case "import":
    case "context":
      return { code: "M3519", message: plainMessage };
    case "value":
      if (isPlain) return { code: "M3503", message: fits };
      return isPart
        ? { code: codeOfPart(at.within), message: fits }
        : { code: "M3519", message: plainMessage };
  }
}

/** The numbers that say that what a function returned has no member of the field's name, as a list has none. */
const NO_MEMBER: readonly number[] = [7015, 7017, 7053];

const NO_OBJECT: Explained = {
  code: "M3508",
  message: "what is returned has no member of this name",
  hint: "a node that writes several fields takes an object of them, such as `{ a, b }`; `writes a = result, …` takes what is returned as it is",
};

/** A member of an object does not fit. */
const NO_FIT = 2322;

/** An object has a member that its type does not know. */
const UNKNOWN_MEMBER = 2353;

function codeOfPart(within: Purpose): Code {
  return isWrite(within) ? "M3508" : "M3503";
}

function isWrite(purpose: Purpose): boolean {
  return purpose === "write" || purpose === "member" || purpose === "default";
}

function neverEqual(left: string, right: string): Explained {
  return {
    code: "M3514",
    message: `\`${left}\` is never equal to \`${right}\``,
    hint: "compare it with a value that it can have",
  };
}

function missingCase(full: string): Explained {
  const missing = /missing: (.*?);? \}/.exec(full)?.[1] ?? "something";
  return {
    code: "M3510",
    message: `\`${missing}\` isn't handled`,
    hint: "add a case or `else`",
  };
}

/** The first line of a message without its full stop, quotes as ours, and what it thinks was meant. */
function inPlainWords(full: string): { readonly message: string; readonly meant?: string } {
  const [line = ""] = full.split("\n");
  const meant = /Did you mean (?:to write )?['"](.*?)['"]\?/.exec(full)?.[1];
  const sentence = line
    .replace(/\s*Did you mean.*$/, "")
    .replace(/\b1 arguments/, "1 argument")
    .replace(/\$Readonly<(.*?)>/g, "$1")
    .replace(/\$([A-Z])/g, "$1")
    .replace(/\.$/, "")
    .replace(/'([^']*)'/g, "`$1`");
  const message = sentence.charAt(0).toLowerCase() + sentence.slice(1);
  return meant === undefined ? { message } : { message, meant };
}

function quoted(message: string): readonly string[] {
  const types = message
    .replace(/\$(?:Readonly|Item)<(.*?)>/g, "$1")
    .replace(/\$([A-Z])/g, "$1")
    .replace(/\breadonly /g, "");
  return [...types.matchAll(/'([^']*)'/g)].map(([, inner]) => inner ?? "");
}
