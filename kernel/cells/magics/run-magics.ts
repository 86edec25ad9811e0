/** Runs a cell whose lines are magics, in their order. */
import { nearest, type Source } from "../../../dsl/index.ts";
import type { AtWork } from "../notebook.ts";
import { runAnswers } from "./answers-magic.ts";
import { runCells, runReload } from "./cells-magic.ts";
import { runConfig } from "./config-magic.ts";
import { runDebug } from "./debug-magic.ts";
import { runHelp } from "./help-magic.ts";
import { isLineMagic, type LineMagicName, lineMagics, magicOf } from "./magic-table.ts";
import { magicWords } from "./magic-words.ts";
import { runMemory } from "./memory-magic.ts";
import { runCd, runEnv, runWho } from "./place-magics.ts";
import { type MagicCall, readMagic, wrongAt } from "./read-magic.ts";
import { runRuns } from "./runs-magic.ts";
import { runTestMagic } from "./test-magic.ts";
import { runTimeit } from "./timeit-magic.ts";
import { runTraces } from "./traces-magic.ts";

/**
 * Reads all lines before the first one runs. Each of the functions runs one and gives the value to be shown, if there is one.
 * Throws for a line with an error.
 */
export function readMagics(code: string, at: AtWork): readonly (() => unknown)[] {
  const source = { file: at.cell.name, text: code };
  return callsIn(source).map((call) => () => runMagic(call, at));
}

function callsIn(source: Source): readonly MagicCall[] {
  return [...source.text.matchAll(/^[ \t]*(\S[^\r\n]*)$/gm)].flatMap((match) => {
    const [whole, line = ""] = match;
    const start = match.index + whole.length - line.length;
    return line.startsWith("//") ? [] : [callAt(source, line, start)];
  });
}

function callAt(source: Source, line: string, start: number): MagicCall {
  const [name] = magicWords(line, start);
  const magic = name && lineMagics.includes(name.text) ? magicOf(name.text) : undefined;
  if (magic !== undefined) return readMagic(source, magic, start);
  const isMagic = line.startsWith("%");
  const written = name ?? { text: line, start, end: start + line.length };
  const meant = isMagic ? nearest(written.text, lineMagics) : undefined;
  const whole = { text: line, start, end: start + line.trimEnd().length };
  throw wrongAt(source, isMagic ? written : whole, {
    code: isMagic ? "M7507" : "M7511",
    message: isMagic
      ? `there is no magic \`${written.text}\` for a line`
      : "this line is not a magic, but other lines of the cell are",
    hint:
      meant === undefined
        ? `each line here is one of ${lineMagics.join(", ")}; anything else goes into a cell of its own`
        : `did you mean \`${meant}\`?`,
  });
}

function runMagic(call: MagicCall, at: AtWork): unknown {
  const { name } = call.magic;
  if (!isLineMagic(name)) throw new Error(`${name} begins a cell and is no line`);
  return RUN_MAGIC[name](call, at);
}

/** The function of each line magic of the table; the compiler asks for a missing one. */
const RUN_MAGIC: Readonly<Record<LineMagicName, (call: MagicCall, at: AtWork) => unknown>> = {
  "%timeit": runTimeit,
  "%config": runConfig,
  "%runs": runRuns,
  "%traces": runTraces,
  "%memory": runMemory,
  "%answers": runAnswers,
  "%test": runTestMagic,
  "%who": runWho,
  "%debug": runDebug,
  "%cells": runCells,
  "%reload": runReload,
  "%cd": runCd,
  "%env": runEnv,
  "%help": runHelp,
};
