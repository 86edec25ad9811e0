/** Declares what the kinds of cells share while one of them runs. */
import type { Source } from "../../dsl/index.ts";
import type { Scope } from "../../runtime/index.ts";
import type { ErrorOutput } from "../cell-output.ts";
import type { CellReply, CellRequest } from "../jupyter/link.ts";
import type { Cell } from "./cell.ts";
import type { Dependents } from "./kinds/dependents.ts";
import type { CellParts } from "./parts.ts";

/** The imports of a cell's graphs, for as long as one of the graphs is in memory. */
export interface ImportedScope {
  readonly scope: WeakRef<Scope>;
  readonly graphs: readonly string[];
}

/** The programs that a cell of TypeScript imports graphs from. */
export interface ImportedPrograms {
  readonly cell: Cell;
  /** The imports alone, as a program. */
  readonly code: string;
  /** The text of each file that was read, by its path. */
  readonly texts: ReadonlyMap<string, string>;
}

export interface FailedCell {
  readonly cell: Cell;
  readonly thrown: unknown;
}

export interface Notebook {
  readonly parts: CellParts;
  /** The values that cells declared: the `exports` of all of them. */
  readonly names: Record<string, unknown>;
  /** The dependencies of cells on what others declared. */
  readonly dependents: Dependents;
  /** The texts of the cells that declared tests, by the cell. */
  readonly tested: Map<string, Source>;
  /** The imports of graphs from the user's files. */
  readonly imported: Set<ImportedScope>;
  /** The programs that cells of TypeScript import, by the cell. */
  readonly programs: Map<string, ImportedPrograms>;
  /** The cell that failed last, with what it threw, and the last one that failed while it ran: a wrong text runs nothing. */
  readonly failed: { last?: FailedCell; ran?: FailedCell };
  /** Calls the synchronous part of a cell, so that an interrupt stops it. */
  synchronously<T>(work: () => T): T;
  /** Runs a cell that has run once more, under its own number; never rejects. */
  rerun(request: CellRequest): Promise<CellReply>;
}

/** A cell at work in its notebook. */
export interface AtWork {
  readonly cell: Cell;
  readonly notebook: Notebook;
}

/** Ends a cell whose text is wrong; how it is shown is known where it is found. */
export class WrongText extends Error {
  readonly output: ErrorOutput;

  constructor(output: ErrorOutput) {
    super(output.evalue);
    this.name = "WrongText";
    this.output = output;
  }
}
