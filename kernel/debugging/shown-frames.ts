/** Makes the frames and scopes of stopped runs: their numbers at once, their values on request. */
import { join } from "node:path";
import {
  type DebugFrame,
  type Debugger,
  type debugging,
  redaction,
  shortRunId,
} from "../../runtime/index.ts";
import { CommandError } from "../command-error.ts";
import { CELL_PREFIX } from "../jupyter/debug/cell-paths.ts";
import type { SourceText, StackFrameFacts } from "../jupyter/debug/graph-link.ts";
import type { VariableScope } from "../jupyter/debug/protocol.ts";
import { graphCellOf } from "./graph-texts.ts";
import type { ReferenceEntry, ValueReferences } from "./references.ts";

const SCOPES: readonly debugging.ScopeName[] = [
  "State",
  "Last changes",
  "Inbox",
  "Handovers",
  "Limits",
];

/** The name under which a front end can request the drawing of a run; no field can have it. */
export const DRAWING = "(drawing)";

export interface FrameOf {
  readonly thread: number;
  /** From the innermost, 0. */
  readonly index: number;
}

export class ShownFrames {
  readonly #references: ValueReferences;
  readonly #frames = new Map<number, FrameOf>();
  #last = 0;

  constructor(references: ValueReferences) {
    this.#references = references;
  }

  shown(thread: number, debug: Debugger): readonly StackFrameFacts[] {
    return debug.frames.map((frame, index) => {
      this.#last += 1;
      this.#frames.set(this.#last, { thread, index });
      return {
        id: this.#last,
        ...frameWithPosition(frame, debug),
        scopes: this.#scopes({ thread, index }, debug),
      };
    });
  }

  /** M7763 for one of a stop that is over. */
  at(frame: number): FrameOf {
    const found = this.#frames.get(frame);
    if (found !== undefined) return found;
    throw new CommandError("M7763", `the frame ${frame} is gone: its run has gone on`, {
      hint: "choose a frame of the current call stack",
    });
  }

  forget(thread: number): void {
    this.#references.forget(thread);
    for (const [id, frame] of this.#frames) if (frame.thread === thread) this.#frames.delete(id);
  }

  #scopes({ thread, index }: FrameOf, debug: Debugger): readonly VariableScope[] {
    // Most graphs have no `return`: nobody need look at who waits for one.
    const isEmpty = (name: debugging.ScopeName) =>
      name === "Handovers" && Object.keys(debug.values(name, index)).length === 0;
    const values = SCOPES.filter((name) => !isEmpty(name)).map((name) => {
      const entries = () => entriesIn(name, debug.values(name, index), debug);
      return { name, variablesReference: this.#references.keep(thread, entries), expensive: false };
    });
    const drawing = this.#references.keep(thread, () => [
      { name: DRAWING, value: undefined, text: "where the run stands: render it" },
    ]);
    return [...values, { name: "Graph", variablesReference: drawing, expensive: true }];
  }
}

/** Fields are expressions by themselves; what the last step changed is named by its path. */
function entriesIn(
  name: debugging.ScopeName,
  values: Readonly<Record<string, unknown>>,
  debug: Debugger,
): readonly ReferenceEntry[] {
  const isExpression = name === "State" || name === "Last changes";
  return Object.entries(values).map(([key, value]) => ({
    name: key,
    // Only the listed ones are searched for private values.
    get value() {
      return redaction.shownValue({ [key]: value }, debug.run)[key];
    },
    ...(isExpression ? { expression: key } : {}),
  }));
}

function frameWithPosition(
  frame: DebugFrame,
  debug: Debugger,
): Omit<StackFrameFacts, "id" | "scopes"> {
  const { name, kind, id, at, graph } = frame;
  const shown = kind === "run" ? `${name} (${shortRunId(debug.run.id)})` : name;
  const source = debug.sourceOf(id);
  if (at === undefined || source === undefined) return { name: shown, line: 0, column: 0 };
  const text = frameText(source, graph);
  return { name: shown, line: at.line, column: at.column, text };
}

function frameText(
  source: { readonly file: string; readonly text: string },
  graph: string,
): SourceText {
  const code = graphCellOf(source.text);
  if (code !== undefined) return { kind: "cell", code };
  const isFile = source.file.endsWith(".madrigal");
  const path = isFile ? source.file : join(CELL_PREFIX, `${graph}.madrigal`);
  return { kind: "file", path, text: source.text };
}
