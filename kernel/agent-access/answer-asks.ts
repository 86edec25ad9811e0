/** Answers a client of a kernel: its cells, values, runs and traces, and commands of the debugger, with bounds and without secrets. */
import { inspect, stripVTControlCharacters } from "node:util";
import { messageOf, RunError, redaction, type Session } from "../../runtime/index.ts";
import { runDocument } from "../cli/run/run-document.ts";
import { CommandError } from "../command-error.ts";
import { globalsIn } from "../debugging/globals.ts";
import { AgentDebugger } from "./agent-debugger.ts";
import type { KernelAnswer, KernelAsk } from "./asks.ts";
import type { CellExcerpt, CellMemory } from "./cell-memory.ts";
import { runsUnderWay } from "./runs-under-way.ts";

export interface AskParts {
  readonly memory: CellMemory;
  /** The values that cells declared, by name. */
  readonly names: Readonly<Record<string, unknown>>;
  readonly session: () => Session;
}

/** The characters of an answer, as JSON. */
const ANSWER_MAX = 100_000;
const CODE_SHOWN = 2_000;
const OUTPUT_SHOWN = 1_000;
const VALUE_MAX = 20_000;
const CELLS_MAX = 50;
const RUNS_MAX = 50;

export class AskAnswerer {
  readonly #parts: AskParts;
  readonly #debugger: AgentDebugger;

  constructor(parts: AskParts) {
    this.#parts = parts;
    this.#debugger = new AgentDebugger(parts.session);
  }

  /** Never rejects: what is wrong is told. */
  async answer(ask: KernelAsk): Promise<KernelAnswer> {
    const { redactForTrace } = redaction.createRedactor(redaction.secretsOf(process.env));
    // Before anything is cut, too: of a secret that is cut in two, nobody knows the half.
    const shown = <T>(part: T) => redactForTrace(part) as T;
    try {
      const value = shown(await this.#valueOf(ask, shown));
      const length = JSON.stringify(value)?.length ?? 0;
      if (length <= ANSWER_MAX) return { value };
      return {
        error: `the answer has ${length} characters, more than ${ANSWER_MAX}: ask for less`,
      };
    } catch (thrown) {
      return { error: shown(faultText(thrown)) };
    }
  }

  async #valueOf(ask: KernelAsk, shown: HideInAnswer): Promise<unknown> {
    const { memory, names, session } = this.#parts;
    switch (ask.ask) {
      case "about":
        return about(memory.cells);
      case "cells": {
        const wanted = memory.cells.filter(({ status }) => !ask.failed || status === "error");
        const last = Math.min(Math.max(1, ask.last), CELLS_MAX);
        return wanted.slice(-last).map((cell) => shortCell(shown(bare(cell))));
      }
      case "cell": {
        const cell = memory.cells.findLast(({ number }) => number === ask.number);
        if (cell !== undefined) return wholeCell(bare(cell));
        throw new Error(`no cell has the number ${ask.number}${numbersOf(memory.cells)}`);
      }
      case "values":
        return ask.name === undefined ? valuesOf(names) : valueText(ask.name, names, shown);
      case "runs":
        return ask.run === undefined ? listRuns(session()) : runDocument(session().open(ask.run));
      case "under way":
        return runsUnderWay(session());
      case "sql":
        return await selected(ask, session());
      case "debug":
        return await this.#debugger.obey(ask.run, ask.command);
    }
  }
}

function about(cells: readonly CellExcerpt[]): unknown {
  const last = cells.at(-1);
  return {
    folder: process.cwd(),
    pid: process.pid,
    ...(process.env.JPY_SESSION_NAME ? { notebook: process.env.JPY_SESSION_NAME } : {}),
    cells: cells.length,
    status: cells.some(({ status }) => status === "running") ? "running" : "idle",
    ...(last === undefined ? {} : { last_cell: last.number }),
  };
}

/** Hides secrets in a value of the same shape. */
type HideInAnswer = <T>(part: T) => T;

/** Without the signs that colour a terminal. */
function bare(cell: CellExcerpt): CellExcerpt {
  const outputs = cell.outputs.map((output) => ({
    ...output,
    text: stripVTControlCharacters(output.text),
  }));
  return { ...cell, outputs };
}

function shortCell({ number, code, status, outputs, cut }: CellExcerpt): unknown {
  const shown = outputs.map((output) => ({ ...output, text: clipped(output.text, OUTPUT_SHOWN) }));
  return {
    number,
    status,
    code: clipped(code, CODE_SHOWN),
    outputs: shown.slice(-CELLS_MAX),
    ...cutOf(cut),
  };
}

function wholeCell({ cut, ...cell }: CellExcerpt): unknown {
  return { ...cell, ...cutOf(cut) };
}

function cutOf(cut: number): object {
  return cut === 0 ? {} : { characters_not_kept: cut };
}

function clipped(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most).toWellFormed()}… (${text.length} characters)`;
}

function numbersOf(cells: readonly CellExcerpt[]): string {
  const [first] = cells;
  return first === undefined
    ? ": none has run"
    : `: there are ${first.number} to ${cells.at(-1)?.number}`;
}

function valuesOf(names: Readonly<Record<string, unknown>>): unknown {
  return globalsIn(names).map(({ name, type, value }) => ({ name, type, value }));
}

/** As text, without calling anything of the value's own: getters, proxies, `toString`. */
function valueText(
  name: string,
  names: Readonly<Record<string, unknown>>,
  shown: HideInAnswer,
): unknown {
  if (!Object.hasOwn(names, name))
    throw new Error(
      `the notebook has no value \`${name}\`: it has ${Object.keys(names).slice(-50).join(", ") || "none"}`,
    );
  const text = inspect(names[name], {
    ...{ depth: 6, maxArrayLength: 200, maxStringLength: VALUE_MAX, breakLength: 120 },
    ...{ customInspect: false, showProxy: true, getters: false },
  });
  return { name, text: clipped(shown(stripVTControlCharacters(text)), VALUE_MAX) };
}

function listRuns(session: Session): unknown {
  return session.list({ limit: RUNS_MAX }).map(({ runId, graph, status, createdAt }) => ({
    ...{ run_id: runId, graph, status },
    begun: new Date(createdAt).toISOString(),
  }));
}

async function selected(
  { sql, run }: Extract<KernelAsk, { ask: "sql" }>,
  session: Session,
): Promise<unknown> {
  const runId = run === undefined ? session.list({ limit: 1 })[0]?.runId : session.open(run).id;
  const traces = await session.traces();
  const signal = new AbortController().signal;
  const { rows, cut } = await traces.answer({ runId: runId ?? "", sql, signal });
  return { rows, ...(cut ? { more: true } : {}) };
}

function faultText(thrown: unknown): string {
  const { code, hint } =
    thrown instanceof CommandError || thrown instanceof RunError
      ? thrown
      : { code: undefined, hint: undefined };
  return `${code === undefined ? "" : `${code}: `}${messageOf(thrown)}${hint === undefined ? "" : `\nhint: ${hint}`}`;
}
