/** Declares what the type service keeps between cells. */
import type { CellProgram } from "./cells/cell-program.ts";
import type { KnownGraphs } from "./graphs/stale-graphs.ts";
import type { TellStarted } from "./native/native-compiler.ts";
import type { GraphCell } from "./service.ts";

/** The state of the cells so far. */
export interface KnownCells {
  /** The declarations of the cells, as the text of a declaration file. */
  readonly declarations: string;
  /** Their graphs, which are checked again when what they use is declared anew. */
  readonly graphs: readonly KnownGraphs[];
}

export interface ServiceState extends KnownCells {
  /** Called with what has changed after each cell that was accepted. */
  readonly declared: (changed: Partial<KnownCells>) => void;
  readonly started: TellStarted;
}

/** The one state of the type service: a program, and what the cells so far have declared. */
export interface CellTypes {
  program: CellProgram;
  readonly started: TellStarted;
  /** Declares nothing, and keeps in the program what would take long to load again. */
  base: string;
  declarations: string;
  graphs: readonly KnownGraphs[];
  /** The declarations that a cell sees, as text. */
  readonly known: string;
  /** Declares what graphs have without any cell. */
  readonly offered: string;
  /** Makes this package's own types stay in the program once they are loaded. */
  readonly keepPackage: () => void;
  readonly declare: (added: string) => void;
  /** Keeps a cell of graphs that was accepted. */
  readonly remember: (cell: GraphCell) => void;
}
