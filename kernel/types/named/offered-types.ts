/** Writes the types of tools that programs have without importing them: those of APIs, and built-in ones. */
import { type ApiReading, type CheckOptions, type Ir, readServer } from "../../../dsl/index.ts";
import { BUILT_IN_TYPES, isBuiltInGroup } from "./built-in-types.ts";
import { schemaTypeText } from "./schema-type.ts";

type ApiTools = NonNullable<Extract<ApiReading, { readonly operations: unknown }>["tools"]>;

/** Returns the types of the operations that graphs name, by the name of their API. An API that is not looked at has none. */
export function apiTypes(
  graphs: readonly Ir[],
  apis: NonNullable<CheckOptions["apis"]>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    graphs.flatMap((graph) =>
      graph.mcps.flatMap((declared) => {
        const tools = apiToolsOf(declared, graph.source?.file ?? "", apis);
        return tools === undefined ? [] : [[declared.name, apiTypeText(tools, namedBy(graphs))]];
      }),
    ),
  );
}

/**
 * Returns the types of the built-in groups whose tools nodes of files call. Files have no whole "madrigal", which would take the
 * compiler long to read.
 */
export function calledGroupTypes(graphs: readonly Ir[]): Readonly<Record<string, string>> {
  const servers = new Set(graphs.flatMap(({ mcps }) => mcps.map(({ name }) => name)));
  const heads = graphs.flatMap(({ nodes }) =>
    nodes.flatMap(({ kind, call }) => (kind === "tool" ? (call?.callee[0] ?? []) : [])),
  );
  return Object.fromEntries(
    heads.flatMap((head) =>
      isBuiltInGroup(head) && !servers.has(head)
        ? [[head, BUILT_IN_TYPES[head].replace("madrigal", `madrigal/${head}-tools`)]]
        : [],
    ),
  );
}

/** Returns the operations of an API that a program declares, as its description tells of them. */
function apiToolsOf(
  declared: Ir["mcps"][number],
  importer: string,
  apis: NonNullable<CheckOptions["apis"]>,
): ApiTools | undefined {
  const connection = readServer(declared).server?.connection;
  if (connection?.kind !== "openapi") return undefined;
  const reading = apis(connection.description, importer);
  return reading !== undefined && "operations" in reading ? reading.tools : undefined;
}

/** The tools that graphs name: an API may have thousands more. */
function namedBy(graphs: readonly Ir[]): ReadonlySet<string> {
  return new Set(
    graphs
      .flatMap(({ nodes }) =>
        nodes.flatMap(({ tools, call }) => [
          ...tools,
          ...(call === undefined ? [] : [call.callee]),
        ]),
      )
      .map((name) => name.join(".")),
  );
}

function apiTypeText(tools: ApiTools, named: ReadonlySet<string>): string {
  const members = Object.entries(tools).flatMap(([name, { input, output }]) => {
    if (![...named].some((one) => one.endsWith(`.${name}`))) return [];
    const result = output === undefined ? "any" : schemaTypeText(output, "read");
    const call = `(input: ${schemaTypeText(input, "given")}) => Promise<${result}>`;
    // Declared tools have a symbol, by which the check knows that they take one object.
    return [`readonly ${JSON.stringify(name)}: (${call}) & { readonly [Symbol.species]: true }`];
  });
  return `{ ${members.join("; ")} }`;
}
