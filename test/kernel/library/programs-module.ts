/** Writes `kernel/library/programs.ts`: each graph of the library with the types that its program says. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { check, type Ir, LIBRARY_GRAPHS, type TypeIr } from "../../../dsl/index.ts";
import { objectText, typeText } from "../../../kernel/types/graphs/generator/type-text.ts";
import { projectRoot } from "../../support/child.ts";

export const programsFile = join(projectRoot, "kernel/library/programs.ts");

export function programsModule(): string {
  const text = [
    "/** The programs that come with Madrigal, for TypeScript; `npm run grammar` makes this file from them. */",
    'import { type LibraryGraph, libraryGraph } from "./library-graph.ts";',
    ...Object.entries(LIBRARY_GRAPHS).map(([name, file]) => exportOf(graphOf(name, file))),
  ].join("\n\n");
  const biome = join(projectRoot, "node_modules/.bin/biome");
  const { stdout } = spawnSync(biome, ["format", `--stdin-file-path=${programsFile}`], {
    input: text,
    cwd: projectRoot,
    encoding: "utf8",
  });
  return stdout;
}

interface DocumentedGraph {
  readonly graph: Ir;
  readonly about: string;
}

function graphOf(name: string, file: string): DocumentedGraph {
  const folder = join(projectRoot, "runtime/library");
  const textOf = (from: string) => readFileSync(join(folder, from), "utf8");
  const text = textOf(`${file}.madrigal`);
  const programs = (from: string) => ({ file: from, text: textOf(from) });
  const graph = check({ file, text }, { programs }).graphs.find((one) => one.name === name);
  if (graph === undefined) throw new Error(`${file}.madrigal has no sound graph ${name}`);
  const [about = ""] = /^(?:\/\/.*\n)+/.exec(text) ?? [];
  return {
    graph,
    about: about
      .replaceAll(/^\/\/ ?/gm, "")
      .trim()
      .replaceAll("\n", " "),
  };
}

function exportOf({ graph, about }: DocumentedGraph): string {
  const { name, params, returns, nodes } = graph;
  const declared = declaredIn(graph);
  const input = params.map((param) => ({
    ...param,
    optional: param.optional || param.default !== undefined,
  }));
  const fields = graph.fields.filter(({ scope }) => scope !== "agent" && scope !== "item");
  const output = fields.filter((field) => returns.includes(field.name));
  const types = [
    `input: ${objectText(input, declared)}`,
    `output: ${objectText(output, declared)}`,
    `state: ${objectText([...params, ...fields], declared)}`,
    `node: ${union(nodes.map((node) => node.name))}`,
    `model: ${union(aliasesOf(graph))}`,
    `prompt: ${union(promptsOf(graph))}`,
    `tool: ${union(toolsOf(graph))}`,
  ];
  // JSON is `any` for cells; here, whoever reads it says what it is.
  const text = types.join("; ").replaceAll(/\bany\b/g, "unknown");
  return `/** ${about} */\nexport const ${name}: LibraryGraph<{ ${text} }> = libraryGraph("${name}");`;
}

/** The types of the program, spelled out. */
function declaredIn({ types }: Ir): ReadonlyMap<string, string> {
  const declared = new Map<string, string>();
  const left = new Map<string, TypeIr>(types.map(({ name, type }) => [name, type]));
  const spell = (name: string): string => {
    const type = left.get(name);
    const known = declared.get(name);
    if (type === undefined || known !== undefined) return known ?? name;
    left.delete(name);
    for (const other of left.keys()) if (mentions(type, other)) spell(other);
    const text = typeText(type, declared);
    declared.set(name, text);
    return text;
  };
  for (const { name } of types) spell(name);
  return declared;
}

function mentions(type: TypeIr, name: string): boolean {
  return JSON.stringify(type).includes(`"name":"${name}"`);
}

function aliasesOf(graph: Ir): readonly string[] {
  const called = (graph.graphs ?? []).flatMap(({ name, models }) =>
    models.flatMap((model) => [model.name, `${name}.${model.name}`]),
  );
  return [...new Set([...graph.models.map(({ name }) => name), ...called])];
}

function promptsOf({ nodes }: Ir): readonly string[] {
  const asked = nodes.filter(({ prompt }) => prompt !== undefined);
  return asked.flatMap(({ name }) => [`${name}.prompt`, `${name}.system`]);
}

function toolsOf(graph: Ir): readonly string[] {
  const all = [graph, ...(graph.graphs ?? [])].flatMap(({ nodes }) => nodes);
  const graphs = new Set((graph.graphs ?? []).map(({ name }) => name));
  const heads = all.flatMap(({ tools, call }) => [
    ...tools.map(([head = ""]) => head),
    ...(call !== undefined && call.callee.length > 1 ? [call.callee[0] ?? ""] : []),
  ]);
  return [...new Set(heads)].filter((head) => !graphs.has(head)).toSorted();
}

function union(names: readonly string[]): string {
  return names.length === 0 ? "never" : names.map((name) => JSON.stringify(name)).join(" | ");
}
