import { parse, type Source } from "../../../dsl/index.ts";

/** A type that a program of graphs names and does not declare. */
export interface AskedType {
  readonly name: string;
  /** It as TypeScript: `import("./types.ts").Task`, or the name itself where an earlier cell declares it. */
  readonly text: string;
}

type FileAst = ReturnType<typeof parse>["ast"];

/** The types that only TypeScript can know: what the text imports from it, and what earlier cells declare. */
export function askedTypes(
  source: Source,
  ofCells: ReadonlySet<string> = new Set(),
): readonly AskedType[] {
  const { ast } = parse(source);
  const declared = new Set(
    ast.items.flatMap((item) => (item.kind === "type" ? [item.name.text] : [])),
  );
  const imported = importedTypes(ast);
  return [...namedTypes(ast)].flatMap((name): readonly AskedType[] => {
    if (declared.has(name)) return [];
    const text = imported.get(name);
    if (text !== undefined) return text === "" ? [] : [{ name, text }];
    return ofCells.has(name) ? [{ name, text: name }] : [];
  });
}

/** Whether a program names types that only TypeScript knows; if not, nobody has to load a compiler for them. */
export function asksForTypes(source: Source): boolean {
  return askedTypes(source).length > 0;
}

/** Whether the text names something that it imports as a type. */
export function namesType(
  source: Source,
  imported: { readonly name: string; readonly from: string },
): boolean {
  const text = typeText(imported);
  return askedTypes(source).some((one) => one.text === text);
}

/** Whether the text imports anything from TypeScript. */
export function importsTypeScript(source: Source): boolean {
  const imports = parse(source).ast.items.filter((item) => item.kind === "import");
  return imports.some(({ from }) => !from.value.endsWith(".madrigal"));
}

/** Imported names as TypeScript; an empty text for those of another program. */
function importedTypes({ items }: FileAst): ReadonlyMap<string, string> {
  const imports = items.filter((item) => item.kind === "import");
  return new Map(
    imports.flatMap(({ names, from }) =>
      names.map(({ name, as }) => {
        const isProgram = from.value.endsWith(".madrigal");
        const text = typeText({ name: name.text, from: from.value });
        return [(as ?? name).text, isProgram ? "" : text] as const;
      }),
    ),
  );
}

function typeText({ name, from }: { readonly name: string; readonly from: string }): string {
  return `import(${JSON.stringify(from)}).${name}`;
}

function namedTypes(part: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (typeof part !== "object" || part === null) return found;
  const name = nameOfType(part);
  if (name !== undefined) found.add(name);
  for (const value of Object.values(part)) namedTypes(value, found);
  return found;
}

/** A named type of the tree is the only part of this kind; types with arguments are not asked for. */
function nameOfType(part: object): string | undefined {
  if (!("kind" in part) || part.kind !== "named" || !("name" in part) || !("args" in part)) return;
  const { parts } = part.name as { readonly parts: readonly { readonly text: string }[] };
  const isBare = Array.isArray(part.args) && part.args.length === 0;
  return isBare && parts.length === 1 ? parts[0]?.text : undefined;
}
