/** Remembers the last cells of a kernel with what they showed as text, for clients that were not there. */
import type { Bundle, CellOutput } from "../cell-output.ts";
import type { CellReply, CellRequest } from "../jupyter/link.ts";

export interface OutputExcerpt {
  readonly kind: "stdout" | "stderr" | "result" | "display" | "error";
  readonly text: string;
  /** The other forms that a front end may show. */
  readonly forms?: readonly string[];
}

export interface CellExcerpt {
  readonly number: number;
  readonly code: string;
  readonly status: "running" | "ok" | "error";
  readonly outputs: readonly OutputExcerpt[];
  /** The characters that are not kept. */
  readonly cut: number;
}

interface CellInMemory {
  readonly number: number;
  readonly code: string;
  status: CellExcerpt["status"];
  outputs: { readonly output: OutputExcerpt; readonly displayId?: string }[];
  left: number;
  cut: number;
  /** The next output takes the place of all. */
  isCleared: boolean;
}

const CELLS_MAX = 200;
const CODE_CHARACTERS_MAX = 100_000;
const CHARACTERS_MAX = 20_000;
/** A cell that prints in a loop has one output; one that displays in a loop has as many. */
const OUTPUTS_MAX = 200;

export class CellMemory {
  readonly #cells = new Map<string, CellInMemory>();

  /** Requests of a front end itself are no cells. */
  begin({ id, code, executionCount, silent, storeHistory }: CellRequest): void {
    if (silent || !storeHistory) return;
    this.#cells.set(id, {
      number: executionCount,
      code: code.slice(0, CODE_CHARACTERS_MAX),
      status: "running",
      outputs: [],
      left: CHARACTERS_MAX,
      cut: Math.max(0, code.length - CODE_CHARACTERS_MAX),
      isCleared: false,
    });
    const [oldest] = this.#cells.keys();
    if (this.#cells.size > CELLS_MAX && oldest !== undefined) this.#cells.delete(oldest);
  }

  show(id: string, output: CellOutput): void {
    const cell = this.#cells.get(id);
    if (cell !== undefined) remember(cell, output);
  }

  end(id: string, { status }: CellReply): void {
    const cell = this.#cells.get(id);
    if (cell !== undefined) cell.status = status;
  }

  /** In the order in which they began. */
  get cells(): readonly CellExcerpt[] {
    return [...this.#cells.values()].map(({ number, code, status, outputs, cut }) => ({
      ...{ number, code, status, cut },
      outputs: outputs.map(({ output }) => output),
    }));
  }
}

function remember(cell: CellInMemory, output: CellOutput): void {
  switch (output.kind) {
    case "clear":
      cell.isCleared = true;
      if (!output.wait) clear(cell);
      break;
    case "stream":
      append(cell, { kind: output.name, text: output.text });
      break;
    case "error":
      append(cell, { kind: "error", text: output.traceback.join("\n") });
      break;
    case "result":
      append(cell, ofBundle("result", output.bundle));
      break;
    case "display":
      append(cell, ofBundle("display", output.bundle), output.displayId);
      break;
    case "page":
      append(cell, ofBundle("display", output.bundle));
      break;
    case "update":
      update(cell, output.displayId, ofBundle("display", output.bundle));
  }
}

function update(cell: CellInMemory, displayId: string, output: OutputExcerpt): void {
  const at = cell.outputs.findIndex((one) => one.displayId === displayId);
  const before = cell.outputs[at];
  if (before === undefined) return;
  cell.left += before.output.text.length;
  cell.outputs[at] = { displayId, output: fitted(cell, output) };
}

function append(cell: CellInMemory, output: OutputExcerpt, displayId?: string): void {
  if (cell.isCleared) clear(cell);
  const last = cell.outputs.at(-1);
  const isStream = output.kind === "stdout" || output.kind === "stderr";
  if (isStream && last?.output.kind === output.kind) {
    const { text } = fitted(cell, output);
    cell.outputs[cell.outputs.length - 1] = {
      output: { ...last.output, text: `${last.output.text}${text}` },
    };
  } else if (cell.outputs.length >= OUTPUTS_MAX && output.kind !== "error") {
    cell.cut += output.text.length;
  } else {
    cell.outputs.push({
      output: fitted(cell, output),
      ...(displayId === undefined ? {} : { displayId }),
    });
  }
}

/** The output as far as there is room in its cell; an error, which comes last, has room of its own. */
function fitted(cell: CellInMemory, output: OutputExcerpt): OutputExcerpt {
  const room = output.kind === "error" ? CHARACTERS_MAX : cell.left;
  const text = output.text.slice(0, room);
  cell.cut += output.text.length - text.length;
  if (output.kind !== "error") cell.left -= text.length;
  return { ...output, text };
}

function clear(cell: CellInMemory): void {
  cell.outputs = [];
  cell.left = CHARACTERS_MAX;
  cell.isCleared = false;
}

function ofBundle(kind: "result" | "display", { data }: Bundle): OutputExcerpt {
  const { "text/plain": plain = "", ...others } = data;
  const forms = Object.keys(others);
  const text = Array.isArray(plain) ? plain.join("") : String(plain);
  return { kind, text, ...(forms.length === 0 ? {} : { forms }) };
}
