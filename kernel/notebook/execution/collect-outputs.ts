/** Collects what a kernel publishes into outputs of cells, as nbclient and JupyterLab keep them. */
import type { Output } from "../notebook.ts";

/** A message of the iopub channel: its type and content. */
export interface Published {
  readonly type: string;
  readonly content: Readonly<Record<string, unknown>>;
}

interface CollectedOutput {
  output: Output;
  readonly displayId: string | undefined;
}

/** The outputs of all cells of one notebook: a display can be updated from any of them. */
export class OutputCollector {
  readonly #cells = new Map<string, CollectedOutput[]>();
  readonly #toBeCleared = new Set<string>();

  /** Takes what was published for this cell. */
  take(cell: string, { type, content }: Published): void {
    if (type === "clear_output") this.#clear(cell, content.wait === true);
    else if (type === "update_display_data") this.#update(content);
    else {
      const output = toOutput(type, content);
      if (output !== undefined) this.#append(cell, { output, displayId: displayIdOf(content) });
    }
  }

  /** Returns the present outputs of the cell. */
  outputs(cell: string): readonly Output[] {
    return mergeStreams(this.#of(cell).map(({ output }) => output));
  }

  #of(cell: string): CollectedOutput[] {
    const kept = this.#cells.get(cell) ?? [];
    this.#cells.set(cell, kept);
    return kept;
  }

  #clear(cell: string, wait: boolean): void {
    if (wait) this.#toBeCleared.add(cell);
    else this.#cells.set(cell, []);
  }

  #append(cell: string, kept: CollectedOutput): void {
    if (this.#toBeCleared.delete(cell)) this.#cells.set(cell, []);
    // A display of an id that is shown already replaces what was shown under it.
    if (kept.displayId !== undefined) this.#replace(kept.displayId, kept.output);
    this.#of(cell).push(kept);
  }

  #update(content: Published["content"]): void {
    const id = displayIdOf(content);
    const output = toOutput("display_data", content);
    if (id !== undefined && output !== undefined) this.#replace(id, output);
  }

  #replace(id: string, by: Output): void {
    for (const kept of [...this.#cells.values()].flat()) {
      if (kept.displayId === id) kept.output = withData(kept.output, by);
    }
  }
}

function withData(output: Output, by: Output): Output {
  return "data" in output && "data" in by
    ? { ...output, data: by.data, metadata: by.metadata }
    : output;
}

function displayIdOf({ transient }: Published["content"]): string | undefined {
  const id = objectOf(transient).display_id;
  return typeof id === "string" ? id : undefined;
}

/** Messages of other types (a status, an input, a comm) are no outputs. */
function toOutput(type: string, content: Published["content"]): Output | undefined {
  const data = { data: objectOf(content.data), metadata: objectOf(content.metadata) };
  switch (type) {
    case "stream":
      return { output_type: type, name: String(content.name), text: String(content.text) };
    case "display_data": {
      // The kernel ends with the execution, so no page will request this display.
      const { madrigal: _display, ...metadata } = data.metadata;
      return { output_type: type, data: data.data, metadata };
    }
    case "execute_result":
      return { output_type: type, ...data, execution_count: countOf(content.execution_count) };
    case "error": {
      const { ename, evalue, traceback } = content;
      const lines = Array.isArray(traceback) ? traceback.map(String) : [];
      return {
        output_type: type,
        ename: String(ename),
        evalue: String(evalue),
        traceback: lines,
      };
    }
    default:
      return undefined;
  }
}

/** Each stream becomes one output where it began; in which pieces it came depends on the clock. */
function mergeStreams(outputs: readonly Output[]): readonly Output[] {
  const merged: Output[] = [];
  for (const output of outputs) {
    const index = merged.findIndex((one) => isSameStream(one, output));
    const earlier = merged[index];
    if (earlier?.output_type === "stream" && output.output_type === "stream") {
      merged[index] = { ...earlier, text: earlier.text + output.text };
    } else merged.push(output);
  }
  return inOrder(merged.map(withoutOverwritten));
}

function isSameStream(one: Output, other: Output): boolean {
  return one.output_type === "stream" && other.output_type === "stream" && one.name === other.name;
}

/**
 * Returns a stream without the text that a carriage return overwrites: of a progress bar, its last
 * state.
 */
function withoutOverwritten(output: Output): Output {
  if (output.output_type !== "stream" || !output.text.includes("\r")) return output;
  return { ...output, text: output.text.split("\n").map(lastState).join("\n") };
}

/** A return at the end of a line overwrites nothing: `\r\n` ends a line too. */
function lastState(line: string): string {
  const end = line.length - (line.endsWith("\r") ? 1 : 0);
  return line.slice(line.lastIndexOf("\r", end - 1) + 1);
}

/**
 * Returns outputs with stdout before stderr where the two are neighbours: their order is chance.
 */
function inOrder(outputs: readonly Output[]): readonly Output[] {
  const index = outputs.findIndex(
    (one, at) => isStream(one, "stderr") && isStream(outputs[at + 1], "stdout"),
  );
  const stdout = outputs[index + 1];
  if (index < 0 || stdout === undefined) return outputs;
  return outputs.toSpliced(index + 1, 1).toSpliced(index, 0, stdout);
}

function isStream(output: Output | undefined, name: string): boolean {
  return output?.output_type === "stream" && output.name === name;
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function countOf(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
