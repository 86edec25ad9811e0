/** Merges the declarations of cells into what the next cell sees. */
import type ts from "typescript-6";

/**
 * Returns the declarations that later cells see: the new ones, and those of earlier cells whose
 * names the new ones do not take. A name is taken in its meanings: a type `T` leaves a value `T`
 * alone.
 */
export function mergeDeclarations(compiler: typeof ts, earlier: string, added: string): string {
  const own = readStatements(compiler, added);
  const names = { values: new Set<string>(), types: new Set<string>() };
  for (const { name, isValue, isType } of own.flatMap(({ declares }) => declares)) {
    if (isValue) names.values.add(name);
    if (isType) names.types.add(name);
  }
  const isTaken: IsTaken = ({ name, isValue, isType }) =>
    (isValue && names.values.has(name)) || (isType && names.types.has(name));
  const before = last?.text === earlier ? last.statements : readStatements(compiler, earlier);
  const statements = [
    ...before.flatMap((one) => remainingDeclarations(compiler, one, isTaken)),
    ...own,
  ];
  const text = statements.map((one) => one.text).join("\n");
  last = { text, statements };
  return text;
}

/** One statement of a declaration file. */
export interface DeclaringStatement {
  readonly text: string;
  readonly declares: readonly CellDeclaration[];
}

/**
 * The last merged declarations: those of a notebook grow with each cell, and need not all be parsed
 * for each.
 */
let last: { readonly text: string; readonly statements: readonly DeclaringStatement[] } | undefined;

type IsTaken = (declared: CellDeclaration) => boolean;

/** `declare module` and `declare global` declare no name. */
function readStatements(compiler: typeof ts, text: string): readonly DeclaringStatement[] {
  const file = parse(compiler, text);
  return file.statements
    .filter((one) => !isEmptyExport(compiler, one))
    .map((one) => ({ text: statementText(one, file), declares: declaredNames(compiler, one) }));
}

function parse(compiler: typeof ts, text: string): ts.SourceFile {
  return compiler.createSourceFile("declarations.d.ts", text, compiler.ScriptTarget.Latest);
}

/** Returns the declarations of a statement that are left after some of its names are taken. */
function remainingDeclarations(
  compiler: typeof ts,
  one: DeclaringStatement,
  isTaken: IsTaken,
): readonly DeclaringStatement[] {
  const free = one.declares.filter((name) => !isTaken(name));
  if (free.length === one.declares.length) return [one];
  if (free.length === 0) return [];
  const file = parse(compiler, one.text);
  const texts = file.statements.flatMap((statement) =>
    remaining(compiler, statement, file, isTaken),
  );
  return texts.flatMap((text) => readStatements(compiler, text));
}

/** Returns the statements of a text of declarations: that of all cells, or of one. */
export function statementsIn(compiler: typeof ts, text: string): readonly DeclaringStatement[] {
  return last?.text === text ? last.statements : readStatements(compiler, text);
}

/** Every name that `text` declares, in whatever meaning. */
export function namesIn(compiler: typeof ts, text: string): ReadonlySet<string> {
  const file = compiler.createSourceFile("cell.d.ts", text, compiler.ScriptTarget.Latest);
  const declared = file.statements.flatMap((statement) => declaredNames(compiler, statement));
  return new Set(declared.map(({ name }) => name));
}

/** A name that a cell has declared. */
export interface CellDeclaration {
  readonly name: string;
  readonly kind: DeclarationKind;
  readonly isValue: boolean;
  readonly isType: boolean;
}

type DeclarationKind =
  | "const"
  | "let"
  | "function"
  | "class"
  | "enum"
  | "type"
  | "namespace"
  | "import";

function declaredNames(compiler: typeof ts, statement: ts.Statement): readonly CellDeclaration[] {
  const named = (name: ts.Node | undefined, kind: DeclarationKind, isValue: boolean) => {
    if (name === undefined || !compiler.isIdentifier(name)) return [];
    const isType = kind !== "const" && kind !== "let" && kind !== "function";
    return [{ name: name.text, kind, isValue, isType }];
  };
  if (compiler.isVariableStatement(statement)) {
    const { declarations, flags } = statement.declarationList;
    const kind = flags & compiler.NodeFlags.Const ? "const" : "let";
    return declarations.flatMap(({ name }) => named(name, kind, true));
  }
  if (compiler.isFunctionDeclaration(statement)) return named(statement.name, "function", true);
  if (compiler.isClassDeclaration(statement)) return named(statement.name, "class", true);
  if (compiler.isEnumDeclaration(statement)) return named(statement.name, "enum", true);
  if (compiler.isInterfaceDeclaration(statement) || compiler.isTypeAliasDeclaration(statement))
    return named(statement.name, "type", false);
  if (compiler.isModuleDeclaration(statement))
    return named(statement.name, "namespace", holdsValues(compiler, statement));
  if (compiler.isImportDeclaration(statement)) return importedNames(compiler, statement);
  return [];
}

/** A namespace of types alone is a type itself. */
function holdsValues(compiler: typeof ts, { body }: ts.ModuleDeclaration): boolean {
  if (body === undefined || !compiler.isModuleBlock(body)) return true;
  return body.statements.some((statement) =>
    declaredNames(compiler, statement).some(({ isValue }) => isValue),
  );
}

function importedNames(
  compiler: typeof ts,
  { importClause }: ts.ImportDeclaration,
): readonly CellDeclaration[] {
  if (importClause === undefined) return [];
  const isValue = importClause.phaseModifier !== compiler.SyntaxKind.TypeKeyword;
  const bindings = importClause.namedBindings;
  const names = [
    importClause.name,
    ...(bindings === undefined
      ? []
      : compiler.isNamespaceImport(bindings)
        ? [bindings.name]
        : bindings.elements.map((element) => element.name)),
  ];
  return names.flatMap((name) =>
    name === undefined ? [] : [{ name: name.text, kind: "import", isValue, isType: true }],
  );
}

/**
 * Returns an earlier statement without the names that are taken; `declare module` and `declare
 * global` remain for good.
 */
function remaining(
  compiler: typeof ts,
  statement: ts.Statement,
  file: ts.SourceFile,
  isTaken: (declared: CellDeclaration) => boolean,
): readonly string[] {
  const declared = declaredNames(compiler, statement);
  const free = declared.filter((one) => !isTaken(one)).map(({ name }) => name);
  if (isEmptyExport(compiler, statement)) return [];
  if (free.length === declared.length) return [statementText(statement, file)];
  if (free.length === 0) return [];
  if (compiler.isVariableStatement(statement)) return variables(compiler, statement, file, free);
  if (compiler.isImportDeclaration(statement)) return imports(compiler, statement, file, free);
  return [];
}

function variables(
  compiler: typeof ts,
  { declarationList }: ts.VariableStatement,
  file: ts.SourceFile,
  free: readonly string[],
): readonly string[] {
  const word = declarationList.flags & compiler.NodeFlags.Const ? "const" : "let";
  const kept = declarationList.declarations.filter(
    ({ name }) => compiler.isIdentifier(name) && free.includes(name.text),
  );
  return kept.map((declaration) => `declare ${word} ${declaration.getText(file)};`);
}

function imports(
  compiler: typeof ts,
  { importClause, moduleSpecifier }: ts.ImportDeclaration,
  file: ts.SourceFile,
  free: readonly string[],
): readonly string[] {
  const bindings = importClause?.namedBindings;
  const from = `from ${moduleSpecifier.getText(file)};`;
  const name = importClause?.name;
  const elements =
    bindings !== undefined && compiler.isNamedImports(bindings)
      ? bindings.elements.filter((element) => free.includes(element.name.text))
      : [];
  const all =
    bindings !== undefined &&
    compiler.isNamespaceImport(bindings) &&
    free.includes(bindings.name.text);
  return [
    ...(name !== undefined && free.includes(name.text) ? [`import ${name.text} ${from}`] : []),
    ...(all ? [`import ${bindings.getText(file)} ${from}`] : []),
    ...(elements.length === 0
      ? []
      : [`import { ${elements.map((element) => element.getText(file)).join(", ")} } ${from}`]),
  ];
}

function isEmptyExport(compiler: typeof ts, statement: ts.Statement): boolean {
  return compiler.isExportDeclaration(statement);
}

function statementText(statement: ts.Statement, file: ts.SourceFile): string {
  return statement.getFullText(file).trim();
}
