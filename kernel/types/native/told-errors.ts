/** Tells errors of TypeScript 7 as TypeScript 6 does where the two differ, so that one text stands everywhere. */
import type ts from "typescript-6";
import type { TextDiagnostic } from "../compiler/errors-of.ts";

/**
 * Returns the errors with the sentence that TypeScript 7 leaves out: where an argument lacks members, it names only these, and
 * TypeScript 6 first names both types and the place.
 */
export function toldErrors(
  load: () => typeof ts,
  text: string,
  errors: readonly TextDiagnostic[],
): readonly TextDiagnostic[] {
  if (!errors.some(({ code }) => code in MISSING)) return errors;
  const compiler = load();
  const file = compiler.createSourceFile("text.ts", text, compiler.ScriptTarget.Latest);
  const isArgument = argumentsIn(compiler, file);
  return errors.map((error) => {
    const types = MISSING[error.code]?.exec(error.message)?.groups;
    if (types === undefined || !isArgument(error)) return error;
    const { given, taken } = types;
    const head = `Argument of type '${given}' is not assignable to parameter of type '${taken}'.`;
    return {
      ...error,
      code: 2345,
      message: `${head}\n  ${error.message.replaceAll("\n", "\n  ")}`,
    };
  });
}

const SEVERAL =
  /^Type '(?<given>.*)' is missing the following properties from type '(?<taken>.*)': /;

const MISSING: Readonly<Record<number, RegExp>> = {
  2739: SEVERAL,
  2740: SEVERAL,
  2741: /^Property '.*' is missing in type '(?<given>.*)' but required in type '(?<taken>.*)'\./,
};

function argumentsIn(compiler: typeof ts, file: ts.SourceFile): (error: TextDiagnostic) => boolean {
  const places = new Set<string>();
  const look = (node: ts.Node): void => {
    if (compiler.isCallExpression(node) || compiler.isNewExpression(node))
      for (const one of node.arguments ?? []) places.add(`${one.getStart(file)}-${one.end}`);
    compiler.forEachChild(node, look);
  };
  look(file);
  return ({ start, length }) => places.has(`${start}-${start + length}`);
}
