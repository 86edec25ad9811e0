/** Makes the compiler skip doc comments until somebody asks for a name's documentation. */
import type ts from "typescript-6";

/**
 * Returns the parsing mode that skips comments. They are most of the text of Node's types, and
 * parsing them took a third of the compiler's start.
 */
export function withoutComments(compiler: typeof ts): ts.JSDocParsingMode {
  return compiler.JSDocParsingMode.ParseForTypeInfo;
}

/**
 * Makes the compiler read the comments of a symbol's declarations and of those it inherits from; to
 * be called before they are used.
 */
export function readDocumentation(
  compiler: typeof ts,
  checker: ts.TypeChecker,
  symbol: ts.Symbol | undefined,
): void {
  const declarations = new Set<ts.Declaration>();
  gather(symbol && declaringSymbols(compiler, checker, symbol));
  for (const file of new Set([...declarations].map((one) => one.getSourceFile()))) {
    readComments(compiler, file);
  }

  function gather(found: readonly ts.Declaration[] = []): void {
    for (const declaration of found) {
      if (declarations.has(declaration)) continue;
      declarations.add(declaration);
      for (const base of basesAround(compiler, declaration)) {
        gather(checker.getTypeAtLocation(base).symbol?.declarations);
      }
    }
  }
}

/**
 * Returns the symbols that declare a name: itself, the one it is an alias of, and the functions
 * that can be called by it.
 */
function declaringSymbols(
  compiler: typeof ts,
  checker: ts.TypeChecker,
  symbol: ts.Symbol,
): readonly ts.Declaration[] {
  const isAlias = (symbol.flags & compiler.SymbolFlags.Alias) !== 0;
  const meant = isAlias ? checker.getAliasedSymbol(symbol) : symbol;
  const type = checker.getTypeOfSymbol(meant);
  const signatures = [...type.getCallSignatures(), ...type.getConstructSignatures()];
  const called = signatures.flatMap((one) => (one.declaration as ts.Declaration | undefined) ?? []);
  return [...(symbol.declarations ?? []), ...(meant.declarations ?? []), ...called];
}

/** Returns the types that the class or interface around a declaration extends or implements. */
function basesAround(
  compiler: typeof ts,
  declaration: ts.Declaration,
): readonly ts.ExpressionWithTypeArguments[] {
  const holders: readonly ts.Node[] = [declaration, declaration.parent];
  const holder = holders.find(
    (one) => one && (compiler.isClassLike(one) || compiler.isInterfaceDeclaration(one)),
  ) as ts.ClassLikeDeclaration | ts.InterfaceDeclaration | undefined;
  return holder?.heritageClauses?.flatMap(({ types }) => [...types]) ?? [];
}

interface Commented extends ts.Node {
  jsDoc?: (ts.Node & { parent: ts.Node })[];
}

const read = new WeakSet<ts.SourceFile>();

/** Reads a file once more, and moves the comments that are found to its nodes. */
function readComments(compiler: typeof ts, file: ts.SourceFile): void {
  if (read.has(file)) return;
  read.add(file);
  const { languageVersion, fileName, text } = file;
  const again = compiler.createSourceFile(
    fileName,
    text,
    { languageVersion, jsDocParsingMode: compiler.JSDocParsingMode.ParseAll },
    true,
  );
  moveComments(compiler, again, file);
}

function moveComments(compiler: typeof ts, from: Commented, to: Commented): void {
  if (from.jsDoc !== undefined) {
    to.jsDoc = from.jsDoc;
    for (const comment of from.jsDoc) comment.parent = to;
  }
  const targets: ts.Node[] = [];
  compiler.forEachChild(to, (child) => void targets.push(child));
  let place = 0;
  compiler.forEachChild(from, (child) => {
    const target = targets[place];
    place += 1;
    if (target !== undefined) moveComments(compiler, child, target);
  });
}
