/** Finds the types of TypeScript that a text of graphs names. */
import { parse, type Source, type Span } from "../../../dsl/index.ts";

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
  return [...namedTypes(ast).keys()].flatMap((name): readonly AskedType[] => {
    if (declared.has(name)) return [];
    const text = imported.get(name);
    if (text !== undefined) return text === "" ? [] : [{ name, text }];
    return ofCells.has(name) ? [{ name, text: name }] : [];
  });
}

/** Every name that means something in the program, or that it takes for a type. */
export function namesInProgram(source: Source): ReadonlySet<string> {
  const { ast } = parse(source);
  const declared = ast.items.flatMap((item) => {
    if (item.kind === "import") return item.names.map(({ name, as }) => (as ?? name).text);
    return item.kind === "type" || item.kind === "graph" ? [item.name.text] : [];
  });
  return new Set([...declared, ...namedTypes(ast).keys()]);
}

/** Returns the span of a program's first use of a type. */
export function placeOfType(source: Source, name: string): Span {
  return namedTypes(parse(source).ast).get(name) ?? { start: 0, end: 0 };
}

/**
 * Returns whether a program names types of TypeScript; if not, no compiler has to be loaded for
 * them.
 */
export function asksForTypes(source: Source): boolean {
  return askedTypes(source).length > 0;
}

/** Returns whether the text uses something that it imports as a type. */
export function namesType(
  source: Source,
  imported: { readonly name: string; readonly from: string },
): boolean {
  const text = typeText(imported);
  return askedTypes(source).some((one) => one.text === text);
}

/** Returns whether the text imports anything from TypeScript. */
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

/** The types that are named anywhere, each with its first place. */
function namedTypes(part: unknown, found = new Map<string, Span>()): ReadonlyMap<string, Span> {
  if (typeof part !== "object" || part === null) return found;
  const name = nameOfType(part);
  if (name !== undefined && !found.has(name.text)) found.set(name.text, name.span);
  for (const value of Object.values(part)) namedTypes(value, found);
  return found;
}

interface NameInText {
  readonly text: string;
  readonly span: Span;
}

/** A named type of the tree is the only part of this kind; types with arguments are not asked for. */
function nameOfType(part: object): NameInText | undefined {
  if (!("kind" in part) || part.kind !== "named" || !("name" in part) || !("args" in part)) return;
  const { parts } = part.name as { readonly parts: readonly NameInText[] };
  const isBare = Array.isArray(part.args) && part.args.length === 0;
  return isBare && parts.length === 1 ? parts[0] : undefined;
}
