/** Reads the names and types that a scope file exports from TypeScript, without running it. */
import type ts from "typescript-6";

/** A module whose exports a program may name without importing them. */
export interface ScopeModule {
  /** As an import beside the program would name it. */
  readonly from: string;
  /** Dotted, two groups deep, as `CheckOptions.scope` takes them. */
  readonly names: readonly string[];
}

/** The value of a text whose type is the module's exports. */
export function scopeQueryText(from: string): string {
  return `import * as $scope from ${JSON.stringify(from)};\nconst $offered = $scope;\n`;
}

/** The names in the module of `scopeQueryText`. */
export function readScopeNames(
  compiler: typeof ts,
  { program, file }: { readonly program: ts.Program; readonly file: ts.SourceFile },
): readonly string[] {
  const checker = program.getTypeChecker();
  const value = file.statements
    .filter((one) => compiler.isVariableStatement(one))
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .find(({ name }) => name.getText(file) === "$offered")?.initializer;
  if (value === undefined) return [];
  const exported = checker.getPropertiesOfType(checker.getTypeAtLocation(value));
  return exported.flatMap((symbol) => {
    const type = checker.getTypeOfSymbolAtLocation(symbol, value);
    const members = isGroup(type, compiler, checker) ? checker.getPropertiesOfType(type) : [];
    if (members.length === 0) return [symbol.name];
    return members.map((member) => `${symbol.name}.${member.name}`);
  });
}

/** An object that is no function, list or dictionary: all of its members are known. */
function isGroup(type: ts.Type, compiler: typeof ts, checker: ts.TypeChecker): boolean {
  const isObject = (type.flags & compiler.TypeFlags.Object) !== 0 || type.isIntersection();
  return (
    isObject &&
    type.getCallSignatures().length === 0 &&
    type.getConstructSignatures().length === 0 &&
    checker.getIndexInfosOfType(type).length === 0
  );
}
