/** Tells whether code catches what is thrown in it. */
import type ts from "typescript-6";

/** A text of JavaScript, and places in it. */
export interface ThrowPlaces {
  readonly js: string;
  readonly offsets: readonly number[];
}

/** Returns, for each place, whether a `try` with a `catch` encloses it in its own function. */
export function caughtAt({ js, offsets }: ThrowPlaces, compiler: typeof ts): readonly boolean[] {
  const file = compiler.createSourceFile("cell.js", js, compiler.ScriptTarget.Latest, true);
  return offsets.map((offset) => {
    for (let node = nodeAt(file, offset, compiler); node !== file; node = node.parent) {
      if (compiler.isFunctionLike(node)) return false;
      const { parent } = node;
      if (!compiler.isTryStatement(parent) || parent.tryBlock !== node) continue;
      if (parent.catchClause !== undefined) return true;
    }
    return false;
  });
}

/** The innermost one. */
function nodeAt(file: ts.SourceFile, offset: number, compiler: typeof ts): ts.Node {
  const inside = (node: ts.Node): ts.Node =>
    compiler.forEachChild(node, (child) =>
      child.getStart(file) <= offset && offset < child.end ? inside(child) : undefined,
    ) ?? node;
  return inside(file);
}
