/** Turns an ES module into the body of a function that the kernel calls. */
import remapping, { type DecodedSourceMap } from "@jridgewell/remapping";
import { encodedMap, TraceMap } from "@jridgewell/trace-mapping";
import type ts from "typescript-6";

export interface FunctionBody {
  readonly js: string;
  /** JSON of a source map (version 3). */
  readonly sourceMap: string;
}

/** Turns the ES module of a cell, its map inline, into the body of a function over `exports` and `require`. */
export function toFunctionBody(compiler: typeof ts, module: string, cell: string): FunctionBody {
  const { code, map } = splitMap(module);
  const { outputText, sourceMapText } = compiler.transpileModule(code, {
    fileName: "cell.js",
    compilerOptions: {
      module: compiler.ModuleKind.CommonJS,
      target: compiler.ScriptTarget.ES2024,
      esModuleInterop: true,
      allowJs: true,
      alwaysStrict: true,
      sourceMap: true,
    },
    transformers: { after: [plainExports(compiler)] },
  });
  const body = outputText.replace(/\/\/# sourceMappingURL=.*\s*$/, "");
  const toModule: DecodedSourceMap = JSON.parse(sourceMapText ?? "{}");
  const composed = remapping([toModule, map], () => null, { decodedMappings: true });
  const mappings = composed.mappings as DecodedSourceMap["mappings"];
  const inCell = withoutPrefix(mappings);
  const traced = new TraceMap({
    version: 3,
    sources: [cell],
    names: composed.names,
    mappings: inCell,
  });
  return { js: body, sourceMap: JSON.stringify(encodedMap(traced)) };
}

const INLINE_MAP =
  /\n?\/\/# sourceMappingURL=data:application\/json;(?:charset=[^;]+;)?base64,(\S+)\s*$/;

function splitMap(module: string): { readonly code: string; readonly map: DecodedSourceMap } {
  const found = INLINE_MAP.exec(module);
  if (found === null) throw new Error("the compiler has emitted no source map");
  const map = JSON.parse(Buffer.from(found[1] ?? "", "base64").toString());
  return { code: module.slice(0, found.index), map };
}

/** tslab's converter puts one line before the text of a cell, so that it is a module. */
function withoutPrefix(mappings: DecodedSourceMap["mappings"]): DecodedSourceMap["mappings"] {
  return mappings.map((line) =>
    line.flatMap((segment) => {
      if (segment.length === 1 || segment[2] === 0) return [];
      const [column, source, sourceLine, sourceColumn] = segment;
      return [[column, source, sourceLine - 1, sourceColumn]];
    }),
  );
}

/** `Object.defineProperty(exports, "z", { get })` as `exports.z = …`: a name must stay free for later cells to write. */
function plainExports(compiler: typeof ts): ts.TransformerFactory<ts.SourceFile> {
  return () => (file) =>
    compiler.factory.updateSourceFile(
      file,
      file.statements.flatMap((statement) => plainExport(compiler, statement)),
    );
}

function plainExport(compiler: typeof ts, statement: ts.Statement): readonly ts.Statement[] {
  const [target, name, descriptor] = definedProperty(compiler, statement);
  if (target === undefined || name === undefined || descriptor === undefined) return [statement];
  if (!compiler.isIdentifier(target) || target.text !== "exports") return [statement];
  if (!compiler.isStringLiteral(name)) return [statement];
  if (name.text === "__esModule") return [];
  const value = returnedByGetter(compiler, descriptor);
  if (value === undefined) return [statement];
  const { factory } = compiler;
  const property = factory.createPropertyAccessExpression(target, name.text);
  return [factory.createExpressionStatement(factory.createAssignment(property, value))];
}

function definedProperty(compiler: typeof ts, statement: ts.Statement): readonly ts.Expression[] {
  if (!compiler.isExpressionStatement(statement)) return [];
  const call = statement.expression;
  if (!compiler.isCallExpression(call)) return [];
  const callee = call.expression;
  const isDefine =
    compiler.isPropertyAccessExpression(callee) &&
    callee.name.text === "defineProperty" &&
    compiler.isIdentifier(callee.expression) &&
    callee.expression.text === "Object";
  return isDefine ? call.arguments : [];
}

function returnedByGetter(
  compiler: typeof ts,
  descriptor: ts.Expression,
): ts.Expression | undefined {
  if (!compiler.isObjectLiteralExpression(descriptor)) return undefined;
  for (const property of descriptor.properties) {
    if (!compiler.isPropertyAssignment(property)) continue;
    if (!compiler.isFunctionExpression(property.initializer)) continue;
    const [statement] = property.initializer.body.statements;
    if (statement !== undefined && compiler.isReturnStatement(statement))
      return statement.expression;
  }
  return undefined;
}
