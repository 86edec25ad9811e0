/** Runs the JavaScript of a cell in this process, so that SIGINT stops it and nothing else. */
import { constants, Script } from "node:vm";
import { Phase } from "../jupyter/link.ts";
import type { JupyterLink } from "../jupyter/main/start.ts";
import { beforeCell } from "./debugger-hooks.ts";

/**
 * The parameters of the wrapper around a cell's code, in their order
 * (kernel/types/cells/README.md).
 */
export interface ScriptScope {
  readonly exports: Record<string, unknown>;
  readonly require: NodeJS.Require;
  readonly importModule: (specifier: string) => Promise<unknown>;
  readonly importMeta: object;
  readonly filename: string;
  readonly dirname: string;
}

export interface CellScript {
  /** `Cell[3]`: the file name in stacks. */
  readonly name: string;
  readonly js: string;
  readonly isAsync: boolean;
}

export type PhaseLink = Pick<JupyterLink, "phase" | "takeInterrupt">;

type Body = (...parameters: readonly unknown[]) => unknown;

/** Runs the synchronous part; what is left is the promise of an async one. Throws what the code throws. */
export function runScript({ name, js, isAsync }: CellScript, scope: ScriptScope): unknown {
  const parameters = "exports, require, importModule, importMeta, __filename, __dirname";
  const script = new Script(
    `(${isAsync ? "async " : ""}function (${parameters}) {\n${js}\n})`,
    // The wrapper's own line doesn't count.
    { filename: name, lineOffset: -1, importModuleDynamically: LOADER },
  );
  const body = script.runInThisContext() as Body;
  beforeCell(name);
  const { exports, require, importModule, importMeta, filename, dirname } = scope;
  return body(exports, require, importModule, importMeta, filename, dirname);
}

const LOADER = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;

/** Returns whether an interrupt stopped a script, or the question that it blocked on. */
export function isInterrupted(thrown: unknown): boolean {
  const { code } = (thrown ?? {}) as { readonly code?: unknown };
  return code === "ERR_SCRIPT_EXECUTION_INTERRUPTED" || code === "M7404";
}

/** Calls `work` so that SIGINT stops it, even one that blocks in `Atomics.wait`, and tells worker 1 while it does. */
export function callInterruptibly<T>(work: () => T, link: PhaseLink): T {
  // Said within: Node puts its handlers of SIGINT up and down around the script, and one that comes meanwhile ends the process.
  place[KEY] = () => {
    link.phase(Phase.synchronous);
    try {
      return work();
    } finally {
      link.takeInterrupt();
    }
  };
  try {
    return caller.runInThisContext({ breakOnSigint: true }) as T;
  } finally {
    link.phase(Phase.awaiting);
  }
}

// Only what runs within a script is stopped by SIGINT, and a script takes no parameters.
const KEY = Symbol.for("madrigal.cells.call");
const place = globalThis as { [KEY]?: () => unknown };
export const CALLER = "madrigal-cell-caller";
const caller = new Script(`globalThis[Symbol.for("madrigal.cells.call")]()`, { filename: CALLER });
