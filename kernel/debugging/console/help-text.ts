/** Writes what `help` shows: all commands on a screen of 24 lines, or one command. */
import type { DebugCommand } from "./console.ts";

/** The calls of commands with their effects; a row may list several. */
const ROWS: readonly (readonly [calls: string, text: string])[] = [
  ["continue c, out o", "to the next stop; out of the graph it is in"],
  ["step s, next n", "by one commit: into called graphs; over them"],
  ["back b, to STEP, rewind STEP", "back by one; to behind a step; back to one"],
  ["break NODE | after NODE | A -> B", "hold there"],
  ["watch FIELD, cost DOLLARS", "hold when it changes; at a cost above that"],
  ["on EVENT [NAME] [of NODE], catch", "error limit tool file message approval question"],
  ["  … if EXPRESSION hits N", "after any of these: only if true, from hit N"],
  ["breakpoints bl, delete N | all", "lists them; deletes them"],
  ["hold NODE#1, release [NODE#1]", "holds one branch; releases it"],
  ["where w, list l [FRAME]", "the frames; the source around one"],
  ["state, inbox, limits [FRAME]", "its fields; what it may read; may spend"],
  ["changes, steps, questions", "of the last step; so far; the open ones"],
  ["print p EXPRESSION", "one of the language, such as notes.length"],
  ["blame FIELD, slice FIELD", "its writer; all steps that contributed"],
  ["set FIELD = JSON", "another value, between two steps"],
  ["answer ID|NODE VALUE", "approve, deny: WHY, a value"],
  ["fork STEP [FIELD = JSON]", "a run of its own from there"],
  ["runs, run N, diff N", "lists them; turns to one; compares with one"],
  ["explore [JSON], order B#1, A#1", "tries all orders of ending; plays one"],
  ["test NAME [> FILE]", "the ended run as a test of the language"],
  ["abort", "ends the run; what it did is kept"],
  ["quit q", "leaves; a run that is not over stays paused"],
  ["help h [COMMAND]", "this, or one; an empty line moves again"],
];

const WIDTH = 32;

/** One screen. */
export function helpText(): string {
  return ROWS.map(([calls, text]) => `${calls.padEnd(WIDTH)} ${text}`).join("\n");
}

/** One command: how it is called, what it does, what is short for it. */
export function commandText({ names, usage, summary }: DebugCommand): string {
  const [name, ...short] = names;
  const also = short.length === 0 ? "" : ` (${short.join(", ")})`;
  return `${usage === undefined ? name : `${name} ${usage}`}${also}\n  ${summary}`;
}
