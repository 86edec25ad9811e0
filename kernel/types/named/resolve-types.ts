import type ts from "typescript-6";
import type { TypeIr } from "../../../dsl/index.ts";
import type { ResolvedType } from "../service.ts";
import type { AskedType } from "./asked-types.ts";
import { toType } from "./to-type.ts";

const ANYTHING: TypeIr = { kind: "named", name: "any", args: [] };

const PREFIX = "$asked_";

/** A text with an alias of each type that is asked for. */
export function queryText(asked: readonly AskedType[]): string {
  return asked.map(({ name, text }) => `type ${PREFIX}${name} = ${text};\n`).join("");
}

/** What the types of `queryText` are; one that is not found is anything: the check says so at its import. */
export function resolveTypes(
  asked: readonly AskedType[],
  compiler: typeof ts,
  { program, file }: { readonly program: ts.Program; readonly file: ts.SourceFile },
): readonly ResolvedType[] {
  const checker = program.getTypeChecker();
  const errors = program.getSemanticDiagnostics(file);
  const found = asked.flatMap(({ name, text }) => {
    const alias = file.statements
      .filter((one) => compiler.isTypeAliasDeclaration(one))
      .find((one) => one.name.text === `${PREFIX}${name}`);
    if (alias === undefined || errors.some(({ start = -1 }) => isIn(alias, start))) return [];
    return [{ name, text, type: checker.getTypeFromTypeNode(alias.type) }];
  });
  const names = new Map(found.map(({ name, type }) => [type, name]));
  const definitions = new Map<string, TypeIr>();
  const reading = { compiler, program, checker, names, definitions };
  const read = found.map(({ name, text, type }) => ({ name, text, type: toType(type, reading) }));
  const inside = [...definitions].filter(([name]) => read.every((one) => one.name !== name));
  const missing = asked.filter(({ name }) => read.every((one) => one.name !== name));
  return [
    ...read,
    ...inside.map(([name, type]) => ({ name, text: name, type })),
    ...missing.map(({ name }) => ({ name, text: name, type: ANYTHING })),
  ];
}

function isIn(node: ts.Node, position: number): boolean {
  return node.pos <= position && position < node.end;
}
