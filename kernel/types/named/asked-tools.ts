/** Finds the tools that a program's text gives to its agents. */
import { isProgram, parse, type ScriptImport, type Source } from "../../../dsl/index.ts";
import type { AskedTool } from "./read-signatures.ts";
import type { ScopeModule } from "./scope-module.ts";

/** Dotted: `web.search`, or `web.*` for all of a group; each once. */
export function toolsInText(source: Source): readonly (readonly string[])[] {
  const found = new Map<string, readonly string[]>();
  const gather = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    // The tools of an operator are its controller's.
    if ("word" in part && part.word === "operator") return;
    for (const { parts, star } of isToolsClause(part) ? part.tools : []) {
      const name = [...parts.map(({ text }) => text), ...(star ? ["*"] : [])];
      found.set(name.join("."), name);
    }
    for (const value of Object.values(part)) gather(value);
  };
  gather(parse(source).ast.items);
  return [...found.values()];
}

interface ToolsClause {
  readonly tools: readonly {
    readonly parts: readonly { readonly text: string }[];
    readonly star: boolean;
  }[];
}

function isToolsClause(part: object): part is ToolsClause {
  return "kind" in part && part.kind === "tools" && "tools" in part && Array.isArray(part.tools);
}

/** Returns the tools that the program imports from TypeScript, or that its scope file exports. */
export function askedTools(source: Source, scope?: ScopeModule): readonly AskedTool[] {
  return askedNames(toolsInText(source), source, scope);
}

/** Returns the requests for the names that a program imports or its scope file exports. */
export function askedNames(
  names: readonly (readonly string[])[],
  source: Source,
  scope?: ScopeModule,
): readonly AskedTool[] {
  const imports = parse(source).ast.items.filter((item) => item.kind === "import");
  const heads = (scope?.names ?? []).map((name) => name.split(".", 1)[0] ?? "");
  const places = new Map([
    ...heads.map((name) => [name, { name, from: scope?.from ?? "" }] as const),
    ...imports
      .filter(({ from }) => !isProgram(from.value))
      .flatMap(({ names, from }) =>
        names.map(
          ({ name, as = name }) => [as.text, { name: name.text, from: from.value }] as const,
        ),
      ),
  ]);
  return names.flatMap((name) => {
    const place = places.get(name[0] ?? "");
    return place === undefined ? [] : [askedByImport(name, place)];
  });
}

/** Returns the request for a tool that is imported from TypeScript, itself or by its group. */
export function askedByImport(
  name: readonly string[],
  { name: exported, from }: Pick<ScriptImport, "name" | "from">,
): AskedTool {
  return { name: name.join("."), from, path: [exported, ...name.slice(1)] };
}
