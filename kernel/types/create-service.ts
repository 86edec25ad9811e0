import { type CellProgram, createCellProgram } from "./cell-program.ts";
import { completeCell } from "./complete.ts";
import { completenessOf } from "./completeness.ts";
import { mergeDeclarations } from "./declarations.ts";
import { checkGraphs } from "./graphs/check-graphs.ts";
import { inspectCell } from "./inspect.ts";
import type { CellText, Converted, TypeService } from "./service.ts";
import { toFunctionBody } from "./to-function-body.ts";
import { toTypeDiagnostics } from "./type-diagnostics.ts";

export interface ServiceState {
  /** What the cells so far declare, as the text of a declaration file. */
  readonly declarations: string;
  /** Called with the new declarations of all cells after each cell that was accepted. */
  readonly declared: (declarations: string) => void;
}

/** The one state of the type service: a program, and what the cells so far have declared. */
export interface CellTypes {
  program: CellProgram;
  /** Declares nothing, and keeps in the program what would take long to load again. */
  base: string;
  declarations: string;
  /** What a cell sees. */
  readonly known: string;
  /** Makes this package's own types stay in the program once they are loaded. */
  readonly keepPackage: () => void;
  readonly declare: (added: string) => void;
}

export interface WarmService extends TypeService {
  /**
   * Takes this package's own types into the program, for good. It costs a second, so it is done when nobody waits; a
   * cell that imports "madrigal", or holds a graph, would have to pay for it otherwise.
   */
  warm(): void;
}

/** The type service of this thread; everything it does is synchronous, so calls are answered in their order. */
export function createTypeService({ declarations, declared }: ServiceState): WarmService {
  const types: CellTypes = {
    program: createCellProgram(),
    base: "",
    declarations,
    get known() {
      return `${types.base}${types.declarations}`;
    },
    keepPackage: () => {
      types.base = 'import type {} from "madrigal";\n';
    },
    declare: (added) => {
      types.declarations = mergeDeclarations(types.program.compiler, types.declarations, added);
      declared(types.declarations);
    },
  };
  const missing = new Set<string>();
  // The first conversion loads the libraries; nobody should wait for that with a cell in hand.
  types.program.analyze("0", declarations);
  return {
    convert: async (cell) => convert(cell, types, missing),
    declareGraphs: async (cell) => {
      types.keepPackage();
      return checkGraphs(cell, types);
    },
    complete: async (at) => completeCell(at, types),
    inspect: async (at) => inspectCell(at, types),
    isComplete: async (code) => completenessOf(code, types.program.compiler),
    warm: () => {
      if (types.base !== "") return;
      types.keepPackage();
      types.program.analyze("0", types.known);
    },
  };
}

function convert(cell: CellText, types: CellTypes, missing: Set<string>): Converted {
  if (/["'](madrigal|tslab)["']/.test(cell.code)) types.keepPackage();
  const { diagnostics, emitted } = analyzeFresh(cell.code, types, missing);
  if (emitted === undefined)
    return { ...NOTHING, diagnostics: toTypeDiagnostics(cell.code, diagnostics) };
  const { imports, lastExpression, hasTopLevelAwait } = emitted;
  const body = toFunctionBody(types.program.compiler, emitted.module, cell.name);
  types.declare(emitted.declarations);
  return {
    diagnostics: [],
    ...body,
    hasTopLevelAwait,
    imports,
    ...(lastExpression === undefined ? {} : { lastExpression }),
  };
}

const NOTHING = { diagnostics: [], js: "", sourceMap: "", hasTopLevelAwait: false, imports: [] };

const MODULE_NOT_FOUND = 2307;

/**
 * A program remembers which packages are missing and looks for them no more. When one is asked for again, it may have
 * been installed in the meantime, so a new program looks.
 */
function analyzeFresh(code: string, types: CellTypes, missing: Set<string>) {
  const first = types.program.analyze(code, types.known);
  const notFound = first.diagnostics
    .filter(({ code }) => code === MODULE_NOT_FOUND)
    .map(({ message }) => message);
  if (!notFound.some((message) => missing.has(message))) {
    for (const message of notFound) missing.add(message);
    return first;
  }
  types.program.close();
  types.program = createCellProgram();
  return types.program.analyze(code, types.known);
}
