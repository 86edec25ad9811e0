/** Implements the type service of worker 2. */
import { sortDiagnostics } from "../../dsl/index.ts";
import { caughtAt } from "./caught.ts";
import { cellParts } from "./cells/cell-parts.ts";
import { mergeDeclarations, namesIn } from "./cells/declarations.ts";
import { RepeatedAnswers } from "./cells/repeated-answers.ts";
import { toFunctionBody } from "./cells/to-function-body.ts";
import { toTypeDiagnostics } from "./compiler/type-diagnostics.ts";
import { completeCell } from "./editor/complete.ts";
import { completenessOf } from "./editor/completeness.ts";
import { inspectCell } from "./editor/inspect.ts";
import { checkGraphs, type TypedGraphCheck } from "./graphs/check-graphs.ts";
import { importedText } from "./graphs/generator/write-public.ts";
import { knownGraphs, staleGraphs, withoutGraphs } from "./graphs/stale-graphs.ts";
import { askedTypes, namesInProgram } from "./named/asked-types.ts";
import { BUILT_IN_TYPES } from "./named/built-in-types.ts";
import type { ProgramNames } from "./named/program-names.ts";
import {
  type AskedTool,
  type FoundSignature,
  readSignatures,
  toolQueryText,
} from "./named/read-signatures.ts";
import { queryText, resolveTypes } from "./named/resolve-types.ts";
import { typeFaults } from "./named/type-faults.ts";
import { openCellProgram } from "./native/cell-program.ts";
import type { CellText, Converted, GraphCell, ResolvedType, TypeService } from "./service.ts";
import type { CellTypes, ServiceState } from "./service-state.ts";

export interface WarmService extends TypeService {
  /** Loads what completion needs, so it is done when nobody waits. */
  warm(): void;
}

/** The type service of this thread; everything it does is synchronous, so calls are answered in their order. */
export function createTypeService(state: ServiceState): WarmService {
  const { declarations, graphs, declared } = state;
  const types: CellTypes = {
    program: openCellProgram(state.started),
    started: state.started,
    base: "",
    declarations,
    graphs,
    get known() {
      return `${types.base}${types.declarations}`;
    },
    // Their types are those of this package, which takes a second to load: told once they are there.
    get offered() {
      const given = undeclared(types).map(([name, type]) => `declare const ${name}: ${type};`);
      return types.base === "" ? "" : `\n${given.join("\n")}`;
    },
    keepPackage: () => {
      types.base = 'import type {} from "madrigal";\n';
    },
    declare: (added) => {
      types.declarations = mergeDeclarations(types.program.compiler, types.declarations, added);
      const left = withoutGraphs(types.graphs, namesIn(types.program.compiler, added));
      const isSame =
        left.length === types.graphs.length && left.every((one) => types.graphs.includes(one));
      types.graphs = left;
      declared({ declarations: types.declarations, ...(isSame ? {} : { graphs: left }) });
    },
    remember: (cell) => {
      types.graphs = [...types.graphs, knownGraphs(cell)];
      declared({ graphs: types.graphs });
    },
  };
  let isWarm = false;
  const missing = new Set<string>();
  const repeated = new RepeatedAnswers<Converted>();
  const signatures = new RepeatedAnswers<readonly FoundSignature[]>();
  // The first conversion loads the libraries; do that before the first cell arrives.
  types.program.analyze("0", declarations);
  return {
    convert: async (cell) => convertOnce(cell, types, { missing, repeated }),
    typesOf: async (names) => typesOf(names, types),
    // A graph cell that is edited mostly lists the same tools.
    signaturesOf: async (asked) => {
      if (asked.length === 0) return [];
      const question = JSON.stringify(asked);
      const found = signatures.find(question, circumstances(types));
      if (found !== undefined) return found;
      const read = signaturesOf(asked, types);
      signatures.keep(question, read);
      return read;
    },
    declareGraphs: async (cell) => {
      types.keepPackage();
      const { diagnostics, declarations } = checkCell(cell, types);
      const faults = typeFaults(cell, cell.types ?? []);
      const all = sortDiagnostics([...faults, ...diagnostics]);
      if (all.some(({ severity }) => severity === "error")) return all;
      types.declare(declarations);
      // Tests alone are right or wrong now; nothing that is declared later asks for them.
      if (cell.graphs.length > 0) types.remember(cell);
      return all;
    },
    declareImported: async (graphs) => {
      types.keepPackage();
      types.declare(graphs.map(importedText).join("\n"));
    },
    recheck: async ({ code }) => toTypeDiagnostics(code, types.program.diagnose(code, types.known)),
    declare: async ({ name, type, isConstant = false }) => {
      types.keepPackage();
      types.declare(`declare ${isConstant ? "const" : "let"} ${name}: ${type};`);
    },
    complete: async (at) => completeCell(at, types),
    inspect: async (at) => inspectCell(at, types),
    isComplete: async (code) => completenessOf(code, types.program.compiler),
    caughtAt: async (places) => caughtAt(places, types.program.compiler),
    warm: () => {
      if (isWarm) return;
      isWarm = true;
      types.program.complete({ text: "", offset: 0 }, types.known);
    },
  };
}

function checkCell(cell: GraphCell, types: CellTypes): TypedGraphCheck {
  const others = types.graphs.flatMap(({ cell: other }) =>
    other.graphs.map((graph) => ({ graph, types: other.types ?? [] })),
  );
  const toCheck = {
    ...cell,
    others,
    offered: { ...Object.fromEntries(undeclared(types)), ...cell.apis },
  };
  return checkGraphs(toCheck, {
    analyze: (text) => types.program.diagnose(text, types.known),
  });
}

/** The built-in groups of tools whose names the notebook has not taken, with their types. */
function undeclared({ program, known }: CellTypes): readonly (readonly [string, string])[] {
  const declared = namesIn(program.compiler, known);
  return Object.entries(BUILT_IN_TYPES).filter(([name]) => !declared.has(name));
}

function typesOf(names: ProgramNames, { program, known }: CellTypes): readonly ResolvedType[] {
  const asked = askedTypes(names, namesIn(program.compiler, known));
  if (asked.length === 0) return [];
  const found = program.look(queryText(asked), known, (built, file) =>
    resolveTypes(asked, program.compiler, {
      program: built,
      file,
      taken: namesInProgram(names),
    }),
  );
  return found ?? [];
}

function signaturesOf(
  asked: readonly AskedTool[],
  { program, known }: CellTypes,
): readonly FoundSignature[] {
  if (asked.length === 0) return [];
  const found = program.look(toolQueryText(asked), known, (built, file) =>
    readSignatures(asked, program.compiler, { program: built, file }),
  );
  return found ?? [];
}

/** The tools of earlier graphs among names that are declared anew. */
function toolsAmong(names: ReadonlySet<string>, { graphs }: CellTypes): readonly AskedTool[] {
  const nodes = graphs.flatMap(({ cell }) => cell.graphs.flatMap((graph) => graph.nodes));
  const tools = nodes.filter(({ kind }) => kind !== "operator").flatMap((node) => node.tools);
  const meant = tools.filter(([head = ""]) => names.has(head));
  const asked = meant.map((path) => [path.join("."), { name: path.join("."), path }] as const);
  return [...new Map(asked).values()];
}

interface RememberedCell {
  /** The packages whose absence was reported. */
  readonly missing: Set<string>;
  readonly repeated: RepeatedAnswers<Converted>;
}

function convertOnce(cell: CellText, types: CellTypes, remembered: RememberedCell): Converted {
  const { repeated } = remembered;
  if (/["'](madrigal(\/library)?|tslab)["']/.test(cell.code)) types.keepPackage();
  const { program, known } = types;
  const question = JSON.stringify([cell.code, cell.queries]);
  const found = repeated.find(question, circumstances(types));
  if (found !== undefined) return { ...found, sourceMap: renamed(found.sourceMap, cell.name) };
  const converted = convert(cell, types, remembered.missing);
  const isKnown = converted.diagnostics.length === 0 && converted.warnings.length === 0;
  if (isKnown && types.program === program && types.known === known)
    repeated.keep(question, converted);
  return converted;
}

/** Returns the things that answers depend on, as they are now. */
function circumstances({ program, known }: CellTypes) {
  return { program, revision: program.revision(), known };
}

/** A source map under the name that the cell has now. */
function renamed(sourceMap: string, name: string): string {
  return JSON.stringify({ ...JSON.parse(sourceMap), sources: [name] });
}

function convert(cell: CellText, types: CellTypes, missing: Set<string>): Converted {
  const { diagnostics, emitted } = analyzeFresh(cell, types, missing);
  if (emitted === undefined)
    return { ...NOTHING, diagnostics: toTypeDiagnostics(cell.code, diagnostics) };
  const { imports, lastExpression, hasTopLevelAwait, untypedRows } = emitted;
  const body = toFunctionBody(emitted.module, cell.name);
  if (!isEmpty(emitted.declarations)) types.declare(emitted.declarations);
  const { compiler } = types.program;
  const names = namesIn(compiler, emitted.declarations);
  const signatures = signaturesOf(toolsAmong(names, types), types);
  const warnings = staleGraphs(
    types.graphs,
    { cell, names, compiler },
    (graphs) => checkCell(graphs, types).diagnostics,
  );
  return {
    diagnostics: [],
    warnings,
    signatures,
    parts: cellParts(compiler, cell.code),
    ...body,
    hasTopLevelAwait,
    imports,
    untypedRows,
    ...(lastExpression === undefined ? {} : { lastExpression }),
  };
}

/** Returns whether a cell declares nothing, as an expression or an assignment. */
function isEmpty(declarations: string): boolean {
  return /^\s*(export\s*\{\s*\};?\s*)*$/.test(declarations);
}

const NOTHING = {
  diagnostics: [],
  warnings: [],
  signatures: [],
  parts: [],
  js: "",
  sourceMap: "",
  hasTopLevelAwait: false,
  imports: [],
  untypedRows: [],
};

const MODULE_NOT_FOUND = 2307;

/**
 * A program remembers which packages are missing and looks for them no more. When one is asked for again, it may have
 * been installed in the meantime, so a new program looks.
 */
function analyzeFresh({ code, queries }: CellText, types: CellTypes, missing: Set<string>) {
  const first = types.program.analyze(code, types.known, queries);
  const notFound = first.diagnostics
    .filter(({ code }) => code === MODULE_NOT_FOUND)
    .map(({ message }) => message);
  if (!notFound.some((message) => missing.has(message))) {
    for (const message of notFound) missing.add(message);
    return first;
  }
  types.program.close();
  types.program = openCellProgram(types.started);
  return types.program.analyze(code, types.known, queries);
}
