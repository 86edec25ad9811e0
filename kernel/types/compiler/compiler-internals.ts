/** Declares what the converter uses of the compiler beyond its public types. All of it was there in TypeScript 5.9 and 6.0. */
import type ts from "typescript-6";

export interface CompilerInternals {
  readonly nullTransformationContext: unknown;
  getTouchingPropertyName(file: ts.SourceFile, position: number): ts.Node;
  getContainerNode(node: ts.Node): ts.Node | undefined;
  isFunctionLike(node: ts.Node): boolean;
  typeToDisplayParts(
    checker: ts.TypeChecker,
    type: ts.Type,
    enclosing: ts.Node,
  ): ts.SymbolDisplayPart[];
  readonly SymbolDisplay: {
    getSymbolDisplayPartsDocumentationAndSymbolKind(
      checker: ts.TypeChecker,
      symbol: ts.Symbol,
      file: ts.SourceFile,
      enclosing: ts.Node | undefined,
      location: ts.Node,
    ): SymbolDisplay;
  };
  readonly Completions: {
    getCompletionsAtPosition(...args: readonly unknown[]): ts.CompletionInfo | undefined;
    getCompletionEntryDetails(...args: readonly unknown[]): ts.CompletionEntryDetails | undefined;
  };
}

/** A parsed file remembers what is wrong with its syntax. */
export interface ParsedFile extends ts.SourceFile {
  readonly parseDiagnostics: readonly ts.Diagnostic[];
}

interface SymbolDisplay {
  readonly displayParts: ts.SymbolDisplayPart[];
  readonly documentation: ts.SymbolDisplayPart[];
  readonly symbolKind: ts.ScriptElementKind;
  readonly tags: ts.JSDocTagInfo[] | undefined;
}

export type Compiler = typeof ts & CompilerInternals;
