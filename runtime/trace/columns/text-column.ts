/** Writes the texts of a column into a vector of DuckDB, each different text once. */
import type { Vector } from "@duckdb/node-bindings";
import type { Bindings, ColumnBuffer } from "./column-buffer.ts";
import { Validity } from "./validity.ts";

/**
 * A column of texts. Most columns of a trace have few texts, again and again: each of them is given to DuckDB once, and
 * what DuckDB made of it (a length and an address, or the text itself) is copied to wherever it stands.
 */
export function textColumn(rows: number): ColumnBuffer {
  const cells = new Array<string | undefined>(rows);
  const validity = new Validity(rows);
  return {
    put(index, cell) {
      cells[index] = cell as string;
      validity.set(index);
    },
    move(bindings, chunk, { at, rows: filled }) {
      const vector = bindings.data_chunk_get_vector(chunk, at);
      const { count } = validity;
      if (count === 0) {
        bindings.vector_reference_value(vector, bindings.create_null_value());
        return;
      }
      const [first] = cells;
      if (count === filled && typeof first === "string" && isAll(cells, first, filled)) {
        bindings.vector_reference_value(vector, bindings.create_varchar(first));
        validity.clear();
      } else {
        if (isVaried(cells, filled)) moveEach(bindings, vector, { cells, filled });
        else moveKinds(bindings, vector, { cells, filled });
        validity.move(bindings, vector, filled);
      }
      cells.fill(undefined, 0, filled);
    },
  };
}

type TextCells = readonly (string | undefined)[];

interface Filled {
  readonly cells: TextCells;
  readonly filled: number;
}

function isAll(cells: TextCells, text: string, filled: number): boolean {
  for (let index = 1; index < filled; index += 1) if (cells[index] !== text) return false;
  return true;
}

const SAMPLE = 32;

/** Returns whether most of the first texts differ. */
function isVaried(cells: TextCells, filled: number): boolean {
  const kinds = new Set<string>();
  let seen = 0;
  for (let index = 0; index < filled && seen < SAMPLE; index += 1) {
    const cell = cells[index];
    if (cell === undefined) continue;
    kinds.add(cell);
    seen += 1;
  }
  return kinds.size > seen * 0.6;
}

function moveEach(bindings: Bindings, vector: Vector, { cells, filled }: Filled): void {
  for (let index = 0; index < filled; index += 1) {
    const cell = cells[index];
    if (cell !== undefined) bindings.vector_assign_string_element(vector, index, cell);
  }
}

/** The n-th kind stands at the n-th place until all are known; then each cell gets its own. */
function moveKinds(bindings: Bindings, vector: Vector, { cells, filled }: Filled): void {
  const { words, kindOf } = scratch(filled);
  const kinds = new Map<string, number>();
  let last: string | undefined;
  let kind = 0;
  for (let index = 0; index < filled; index += 1) {
    const cell = cells[index];
    if (cell === undefined) {
      kindOf[index] = NONE;
      continue;
    }
    if (cell !== last) {
      const known = kinds.get(cell);
      kind = known ?? kinds.size;
      if (known === undefined) {
        kinds.set(cell, kind);
        bindings.vector_assign_string_element(vector, kind, cell);
      }
      last = cell;
    }
    kindOf[index] = kind;
  }
  made.set(bindings.vector_get_data(vector, kinds.size * ELEMENT_BYTES));
  for (let index = 0; index < filled; index += 1) {
    const from = kindOf[index] ?? NONE;
    const to = index * ELEMENT_WORDS;
    // Of a cell that is NULL, all of it is 0: an address that was left there would be another's.
    for (let word = 0; word < ELEMENT_WORDS; word += 1) {
      words[to + word] = from === NONE ? 0 : (madeWords[from * ELEMENT_WORDS + word] ?? 0);
    }
  }
  bindings.copy_data_to_vector(vector, 0, words.buffer, 0, filled * ELEMENT_BYTES);
}

/** DuckDB's `string_t`. */
const ELEMENT_BYTES = 16;
const ELEMENT_WORDS = ELEMENT_BYTES / Uint32Array.BYTES_PER_ELEMENT;
const NONE = 0xffff;

let made = new Uint8Array(0);
let madeWords = new Uint32Array(0);
let room = { words: new Uint32Array(0), kindOf: new Uint16Array(0) };

/** Used by one column after the other. */
function scratch(rows: number): typeof room {
  if (room.kindOf.length < rows) {
    made = new Uint8Array(rows * ELEMENT_BYTES);
    madeWords = new Uint32Array(made.buffer);
    room = { words: new Uint32Array(rows * ELEMENT_WORDS), kindOf: new Uint16Array(rows) };
  }
  return room;
}
