/** Implements the debugger commands that change a run or make something of it. */
import { writeFileSync } from "node:fs";
import { messageOf } from "../../../runtime/index.ts";
import { CommandError } from "../../command-error.ts";
import { readAnswer } from "../../read-answer.ts";
import type { DebugCommand } from "./console.ts";
import { assignment } from "./read-words.ts";
import { changesText } from "./show.ts";

export const changing: readonly DebugCommand[] = [
  {
    names: ["set"],
    usage: "FIELD = JSON",
    summary: "gives a field another value",
    async run({ debug, say }, rest) {
      const edit = assignment(rest);
      await debug.run.edit(edit);
      say(changesText(debug, debug.run.state));
    },
  },
  {
    names: ["answer"],
    usage: "ID|NODE VALUE",
    summary: "answers a question, or all of a node: approve, deny: WHY, a value",
    async run({ debug, say }, rest) {
      const [, id = "", value = ""] = /^(\S+)\s+([\s\S]+)$/.exec(rest) ?? [];
      const asked = debug.run.interrupts.filter((one) => one.id === id || one.node === id);
      if (asked.length === 0) throw debug.run.notAsked(id);
      const answers = asked.map(
        (one) => [one.id, readAnswer(value, one, { folder: process.cwd() })] as const,
      );
      await debug.answer(answers);
      say("answered");
    },
  },
  {
    names: ["test"],
    usage: "[NAME] [> FILE]",
    summary: "the run, once it is over, as a test of the language",
    async run({ debug, say }, rest) {
      const [, name = "", file] = /^([^\s>]*)\s*(?:>\s*(\S+))?$/.exec(rest) ?? [];
      if (name === "" && file === undefined && rest !== "") throw noTest(rest);
      const text = await debug.run.toTest(name === "" ? {} : { name });
      if (file === undefined) return say(text);
      save(file, text);
      say(`saved in ${file}`);
    },
  },
  {
    names: ["abort"],
    summary: "ends the run; what it did is kept",
    async run({ debug, say }) {
      await debug.run.abort("debug");
      say(debug.run.status);
    },
  },
];

function noTest(rest: string): CommandError {
  return new CommandError("M5452", `\`test ${rest}\` has no name for the test`, {
    hint: "test NAME, or test NAME > FILE",
  });
}

/** A file that is there already is never written over. */
function save(file: string, text: string): void {
  try {
    writeFileSync(file, text.endsWith("\n") ? text : `${text}\n`, { flag: "wx" });
  } catch (cause) {
    throw notSaved(file, cause);
  }
}

function notSaved(file: string, cause: unknown): CommandError {
  return new CommandError("M5452", `\`${file}\` can't be written: ${messageOf(cause)}`, {
    hint: "test NAME > FILE, with a file that is not there yet",
    cause,
  });
}
