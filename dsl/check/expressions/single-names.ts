/** Checks single names: of nodes, fields, counts, models, memories and functions. */
import { RETURN } from "../../ir/targets-in.ts";
import { resolveType } from "../../ir/types.ts";
import { lowerDotted, lowerType } from "../../lower/lower-type.ts";
import { nearest } from "../../names/nearest.ts";
import { isOffered, isVisible, meaningOf, type Scope, whyHidden } from "../../names/scope.ts";
import type { FileSymbols } from "../../names/symbol-tables.ts";
import { graphCalled, isUnresolved } from "../../names/symbols.ts";
import type { CountAst, DottedAst, Name } from "../../syntax/tree/ast.ts";
import { BUILT_IN_FUNCTIONS, BUILT_IN_TOOLS } from "../../vocabulary/built-in-functions.ts";
import { BUILT_IN_REDUCERS } from "../../vocabulary/reducers.ts";
import { type Report, reportUnknown, type UnknownWord } from "../report.ts";
import { declarationFor, type UndeclaredWrite } from "./declaration-for.ts";

/** A node named in an arrow, a `tell`, an `approve`. */
export function checkNodeName(name: Name, scope: Scope, report: Report): void {
  const { nodes } = scope.symbols;
  if (nodes.has(name.text)) return;
  reportUnknown(report, {
    code: "M2101",
    what: "node",
    word: name.text,
    span: name.span,
    get candidates() {
      return [...nodes.keys(), "start", "end", RETURN];
    },
  });
}

/** A field or parameter that is only looked at. */
export function checkReadName(name: Name, scope: Scope, report: Report): void {
  if (scope.symbols.params.has(name.text)) return;
  checkFieldName(name, { code: "M2102", declaration: `${name.text}: …` }, scope, report);
}

/** A field that is changed: declared, seen from here, and no parameter. */
export function checkWrittenName(
  name: Name,
  scope: Scope,
  report: Report,
  write: Omit<UndeclaredWrite, "field"> = {},
): boolean {
  const { params, fields, file } = scope.symbols;
  const isSetting = file.config.has(name.text) && !fields.has(name.text);
  if (!params.has(name.text) && !isSetting) {
    const declaration = declarationFor({ ...write, field: name.text }, scope);
    return checkFieldName(name, { code: "M3101", declaration }, scope, report);
  }
  report({
    code: "M3102",
    message: `\`${name.text}\` is a ${isSetting ? "setting, and settings" : "parameter, and parameters"} never change`,
    span: name.span,
    hint: `declare a field in \`state { }\` and write that`,
  });
  return false;
}

interface UnknownField {
  readonly code: "M2102" | "M3101";
  /** The declaration that would make the name known. */
  readonly declaration: string;
}

function checkFieldName(
  name: Name,
  { code, declaration }: UnknownField,
  scope: Scope,
  report: Report,
): boolean {
  const { fields } = scope.symbols;
  const field = fields.get(name.text);
  if (field !== undefined && isVisible(scope, field)) return true;
  reportUnknown(report, {
    code,
    what: "field",
    word: name.text,
    span: name.span,
    get candidates() {
      return [...fields].flatMap(([name, one]) => (isVisible(scope, one) ? [name] : []));
    },
    otherwise: field === undefined ? `declare it: \`state { ${declaration} }\`` : whyHidden(field),
  });
  return false;
}

/** A count's name: what holds a number before the run starts. */
export function checkCount(count: CountAst | undefined, scope: Scope, report: Report): void {
  if (count?.kind !== "name") return;
  const { symbols } = scope;
  const { text, span } = count.name;
  if (symbols.file.config.has(text) || isUnresolved(symbols.file, text)) return;
  const param = symbols.params.get(text);
  const shape = param && resolveType(lowerType(param.type), symbols.file.types);
  const isText = shape?.kind === "named" && ["string", "boolean"].includes(shape.name);
  if (param !== undefined && !isText) return;
  const candidates = [...symbols.params.keys(), ...symbols.file.config.keys()];
  const otherwise = "a count is a number, or a parameter or setting that holds one";
  if (isText) report({ code: "M2109", message: `\`${text}\` is no number`, span, hint: otherwise });
  else
    reportUnknown(report, {
      code: "M2109",
      what: "number",
      word: text,
      span,
      candidates: meaningOf(scope, text) === undefined ? candidates : [],
      otherwise,
    });
}

/** A model or a judge: a declared model, an import, or a parameter that holds one. */
export function checkModelName(name: Name, scope: Scope, report: Report): void {
  if (meaningOf(scope, name.text) !== undefined) return;
  const { models, imports } = scope.symbols.file;
  reportUnknown(report, {
    code: "M2105",
    what: "model",
    word: name.text,
    span: name.span,
    get candidates() {
      return [...models.keys(), ...imports.keys()];
    },
    otherwise: `declare it: \`model ${name.text} = "provider/model"\``,
  });
}

/** A long-term memory of the file or the graph. */
export function checkMemoryName(name: Name, scope: Scope, report: Report): void {
  const { memories, file } = scope.symbols;
  if (memories.has(name.text) || isUnresolved(file, name.text)) return;
  reportUnknown(report, {
    code: "M2108",
    what: "memory",
    word: name.text,
    span: name.span,
    get candidates() {
      return [...memories.keys()];
    },
    otherwise: `declare it: \`memory ${name.text}: Type\``,
  });
}

/** Reports what nobody offers; where more may be offered when a graph runs, as far as that can be wrong. */
export function reportNotOffered(unknown: UnknownWord, file: FileSymbols, report: Report): void {
  const { code, what, word, span } = unknown;
  if (!file.isScopeOpen) {
    reportUnknown(report, unknown);
    return;
  }
  const message = `no ${what} is called \`${word}\``;
  const idle = misspeltImport(word, file);
  if (idle !== undefined)
    report({ code, message, span, hint: `did you mean the import \`${idle}\`?` });
  else if (file.scope !== undefined) {
    const hint = () => hintAtScope(nearest(word, unknown.candidates));
    report({ code, severity: "warning", message, span, hint });
  }
}

/** A name that nobody can know may exist, but not beside an import that nothing uses and that is written nearly so. */
function misspeltImport(word: string, { idleImports }: FileSymbols): string | undefined {
  const [first = ""] = word.split(".");
  // Names of one or two letters are all near each other.
  if (first.length < 3 || BUILT_IN_REDUCERS.some((reducer) => reducer === first)) return undefined;
  return nearest(first, idleImports());
}

/** Returns the hint for a name that may come from a scope file that is not known here. */
export function hintAtScope(near: string | undefined): string {
  const otherwise = "import it, or name the file that exports it: `--scope FILE.ts`";
  return near === undefined ? otherwise : `did you mean \`${near}\`? else ${otherwise}`;
}

/** A tool, a function, a controller. Where nobody knows what TypeScript offers, it is taken to exist. */
export function checkCallable(
  dotted: DottedAst,
  what: "tool" | "function" | "controller" | "graph",
  scope: Scope,
  report: Report,
): void {
  const { file, nodes } = scope.symbols;
  const offered = file.scope;
  const parts = lowerDotted(dotted);
  const [first = ""] = parts;
  const prefix = (dotted.star ? parts.slice(0, -1) : parts).join(".");
  const { memories } = scope.symbols;
  const tables = [file.imports, file.mcps, file.graphs, memories];
  const isDeclared = [...tables, nodes].some((table) => table.has(first));
  if (isDeclared || isOffered(offered, prefix)) return;
  if (what === "function" && BUILT_IN_FUNCTIONS.has(prefix)) return;
  if (what === "graph" && graphCalled(file, prefix) !== undefined) return;
  const code = what === "tool" ? "M2107" : "M2106";
  if (what === "tool" && BUILT_IN_TOOLS.some((name) => name.startsWith(`${first}.`))) {
    if (BUILT_IN_TOOLS.some((name) => name === prefix || name.startsWith(`${prefix}.`))) return;
    const word = parts.join(".");
    reportUnknown(report, { code, what, word, span: dotted.span, candidates: BUILT_IN_TOOLS });
    return;
  }
  const word = parts.join(".");
  const unknown: UnknownWord = {
    code,
    what,
    word,
    span: dotted.span,
    get candidates() {
      return [...new Set([...(offered ?? []), ...tables.flatMap((table) => [...table.keys()])])];
    },
  };
  reportNotOffered(unknown, file, report);
}
