/** Rewrites the text of a cell so that it exports all its names. */
import type ts from "typescript-6";
import type { ParsedFile } from "../compiler/compiler-internals.ts";

/** A cell as the program takes it. */
export interface CellModule {
  /** Begins with the cell's own text, each character in its place. */
  readonly text: string;
  /** The module's text without the exports behind it. */
  readonly own: string;
  /** The names that it exports. */
  readonly names: readonly string[];
  /** Its syntax errors; if there are any, it is not examined further. */
  readonly syntaxErrors: readonly ts.Diagnostic[];
}

/**
 * A cell with every name of its top level exported, once: an `export` of its own says nothing more, so it is blanked out,
 * and `export … from` is read as `import … from`.
 */
export function cellModule(compiler: typeof ts, code: string): CellModule {
  const file = compiler.createSourceFile("cell.ts", code, compiler.ScriptTarget.Latest);
  const syntaxErrors = (file as ParsedFile).parseDiagnostics;
  if (syntaxErrors.length > 0) return { text: code, own: code, names: [], syntaxErrors };
  const edited = file.statements
    .flatMap((statement) => edits(compiler, statement, file))
    .reduce(replace, code);
  const names = [...new Set(file.statements.flatMap((statement) => topNames(compiler, statement)))];
  const exported = names.length === 0 ? "" : `\nexport {${names.join(", ")}}`;
  return { text: `${edited}${exported}`, own: edited, names, syntaxErrors };
}

// ── what the cell exports by itself ─────────────────────────────────────────────────────────────

interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

/** Returns the text with a part replaced by as many characters, over as many lines. */
function replace(text: string, { start, end, by }: TextEdit): string {
  const rest = text.slice(start + by.length, end).replace(/[^\n]/g, " ");
  return `${text.slice(0, start)}${by}${rest}${text.slice(end)}`;
}

function edits(
  compiler: typeof ts,
  statement: ts.Statement,
  file: ts.SourceFile,
): readonly TextEdit[] {
  const start = statement.getStart(file);
  if (compiler.isExportAssignment(statement))
    return [{ start, end: statement.expression.getStart(file), by: "" }];
  if (compiler.isExportDeclaration(statement)) {
    if (statement.moduleSpecifier === undefined) return [{ start, end: statement.end, by: "" }];
    return [{ start, end: start + "export".length, by: "import" }];
  }
  if (!compiler.canHaveModifiers(statement)) return [];
  return (compiler.getModifiers(statement) ?? [])
    .filter(({ kind }) => isExport(compiler, kind))
    .map((modifier) => ({ start: modifier.getStart(file), end: modifier.end, by: "" }));
}

function isExport(compiler: typeof ts, kind: ts.SyntaxKind): boolean {
  return kind === compiler.SyntaxKind.ExportKeyword || kind === compiler.SyntaxKind.DefaultKeyword;
}

// ── what it declares ────────────────────────────────────────────────────────────────────────────

/** The names that a statement at the top level declares for the whole cell. */
export function topNames(compiler: typeof ts, statement: ts.Statement): readonly string[] {
  if (compiler.isImportDeclaration(statement)) return importedNames(compiler, statement);
  if (compiler.isExportDeclaration(statement)) return reexportedNames(compiler, statement);
  if (
    compiler.isFunctionDeclaration(statement) ||
    compiler.isClassDeclaration(statement) ||
    compiler.isInterfaceDeclaration(statement) ||
    compiler.isTypeAliasDeclaration(statement) ||
    compiler.isEnumDeclaration(statement) ||
    compiler.isModuleDeclaration(statement) ||
    compiler.isImportEqualsDeclaration(statement)
  ) {
    const isGlobal = compiler.isModuleDeclaration(statement) && isAugmentation(compiler, statement);
    return isGlobal || statement.name === undefined ? [] : [statement.name.text];
  }
  if (compiler.isVariableStatement(statement))
    return listedNames(compiler, statement.declarationList);
  return hoistedIdentifiers(compiler, statement).map(({ text }) => text);
}

/** `declare module "x"` and `declare global` add to what is elsewhere. */
function isAugmentation(compiler: typeof ts, { name, flags }: ts.ModuleDeclaration): boolean {
  return compiler.isStringLiteral(name) || (flags & compiler.NodeFlags.GlobalAugmentation) !== 0;
}

function importedNames(compiler: typeof ts, statement: ts.ImportDeclaration): string[] {
  return importedIdentifiers(compiler, statement).map(({ text }) => text);
}

/** The names that an import binds. */
export function importedIdentifiers(
  compiler: typeof ts,
  { importClause }: ts.ImportDeclaration,
): readonly ts.Identifier[] {
  const bindings = importClause?.namedBindings;
  const named = bindings === undefined ? [] : boundBy(compiler, bindings);
  return importClause?.name === undefined ? named : [importClause.name, ...named];
}

function boundBy(compiler: typeof ts, bindings: ts.NamedImportBindings): readonly ts.Identifier[] {
  if (compiler.isNamespaceImport(bindings)) return [bindings.name];
  return bindings.elements.map((element) => element.name);
}

function reexportedNames(compiler: typeof ts, statement: ts.ExportDeclaration): readonly string[] {
  const clause = statement.exportClause;
  if (statement.moduleSpecifier === undefined || clause === undefined) return [];
  if (compiler.isNamespaceExport(clause)) return [clause.name.text];
  return clause.elements.map((element) => element.name.text);
}

function listedNames(compiler: typeof ts, list: ts.VariableDeclarationList): readonly string[] {
  return list.declarations.flatMap(({ name }) => boundNames(compiler, name));
}

/** The names that a pattern of a declaration binds. */
export function boundNames(compiler: typeof ts, name: ts.BindingName): readonly string[] {
  return boundIdentifiers(compiler, name).map(({ text }) => text);
}

export function boundIdentifiers(
  compiler: typeof ts,
  name: ts.BindingName,
): readonly ts.Identifier[] {
  if (compiler.isIdentifier(name)) return [name];
  return name.elements.flatMap((element) =>
    compiler.isBindingElement(element) ? boundIdentifiers(compiler, element.name) : [],
  );
}

/** `var` in a block or loop belongs to the whole cell. */
export function hoistedIdentifiers(compiler: typeof ts, node: ts.Node): readonly ts.Identifier[] {
  if (compiler.isFunctionLike(node) || compiler.isClassLike(node)) return [];
  const names: ts.Identifier[] = [];
  if (compiler.isVariableDeclarationList(node) && isVar(compiler, node))
    for (const { name } of node.declarations) names.push(...boundIdentifiers(compiler, name));
  compiler.forEachChild(node, (child) => void names.push(...hoistedIdentifiers(compiler, child)));
  return names;
}

function isVar(compiler: typeof ts, { flags }: ts.VariableDeclarationList): boolean {
  return (flags & compiler.NodeFlags.BlockScoped) === 0;
}
