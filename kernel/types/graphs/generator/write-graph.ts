/** Writes the check of one graph as a function that is never called. */
import {
  type EntryIr,
  type Ir,
  nodeCounts,
  resolveType,
  type TestIr,
} from "../../../../dsl/index.ts";
import { expressionsIn } from "./expressions-in.ts";
import { localName } from "./prelude.ts";
import { typeText } from "./type-text.ts";
import { CONDITION, type GraphContext, SHOWN, VALUE, writeCheck } from "./write-check.ts";
import { toSpan, writeExpression } from "./write-expression.ts";
import { fieldType, writeDefault, writeField } from "./write-field.ts";
import { writeEdges } from "./write-flow.ts";
import { writeNode } from "./write-node.ts";
import { writeNodeClasses } from "./write-node-classes.ts";
import { writeTest } from "./write-test.ts";

/** Writes the function that checks a graph. It is never called: its parameters are what the graph's expressions may name. */
export function writeGraph(context: GraphContext, tests: readonly TestIr[]): void {
  const { to, graph } = context;
  to.raw(
    `async function $check_${graph.name}(${parametersOf(context, `${graph.name}.State`)}) {\n`,
  );
  for (const entry of inOrder(graph.config)) writeSetting(context, entry);
  for (const param of graph.params) writeDefault(context, param);
  for (const field of context.ownFields.get(undefined) ?? []) writeField(context, field);
  writeDeclarations(context);
  for (const memory of graph.memories) writeMemory(context, memory);
  if (context.isByClass) writeNodeClasses(context);
  else for (const node of graph.nodes) writeNode(context, node);
  writeEdges(context, graph.edges);
  writeStops(context);
  for (const test of tests) writeTest(context, test);
  to.raw("}\n");
}

/** Not `const`: a profile or a run may give another value of the type. */
function writeSetting({ to }: GraphContext, { key, value }: EntryIr): void {
  to.raw(`let ${localName(key)} = `);
  to.within(toSpan(value.span), () => writeExpression(to, value));
  to.raw(";\n");
}

/** Settings behind those that they name, whatever their order in the text. */
function inOrder(config: readonly EntryIr[]): readonly EntryIr[] {
  const written = new Set<EntryIr>();
  const names = (one: EntryIr) =>
    expressionsIn(one.value).flatMap((inner) => (inner.kind === "name" ? [inner.name] : []));
  const write = (one: EntryIr, around: readonly EntryIr[]): void => {
    if (written.has(one) || around.includes(one)) return;
    for (const name of names(one))
      for (const other of config.filter(({ key }) => key === name)) write(other, [...around, one]);
    written.add(one);
  };
  for (const one of config) write(one, []);
  return [...written];
}

/** The names that expressions may use, with their types: the parameters of a function that is never called. */
export function parametersOf({ graph, declared, ownFields }: GraphContext, state: string): string {
  const shared = ownFields.get(undefined) ?? [];
  const all = [
    ...[...graph.params, ...shared].map(
      (field) => `${localName(field.name)}: ${fieldType(field, declared)}`,
    ),
    ...graph.memories.map(
      ({ name, type }) => `${localName(name)}: (${typeText(type, declared)})[]`,
    ),
    ...graph.models.map(({ name }) => `${localName(name)}: string`),
    `state: ${state}`,
    `run: $Run, result: any, call: $Call, inbox: readonly ${inboxType(graph, declared)}[], team: readonly $Member[]`,
    "artifacts: readonly $Artifact[]",
    ...countsOf(graph),
    ...failureOf(graph),
    ...graph.nodes.flatMap(({ name, params }) => {
      if (params.length === 0) return [];
      const taken = params.map(
        (param) =>
          `${localName(param.name)}${param.optional || param.default !== undefined ? "?" : ""}: ${typeText(param.type, declared)}`,
      );
      return `$to_${name}: (${taken.join(", ")}) => void`;
    }),
  ];
  return all.join(", ");
}

/** A message of a kind that is a type of the program has a payload of that type. */
function inboxType({ nodes, types }: Ir, declared: GraphContext["declared"]): string {
  const kinds = new Set(nodes.flatMap(({ tell }) => tell?.as ?? []));
  const typed = types.filter(({ name }) => kinds.has(name));
  const named = typed.map(
    ({ name }) =>
      `$Told<${JSON.stringify(name)}, ${typeText({ kind: "named", name, args: [] }, declared)}>`,
  );
  return named.length === 0 ? "$Message" : `(${["$Message", ...named].join(" | ")})`;
}

/** `visits(n)` and `round(n)`, where the graph calls nothing else so. */
function countsOf({ params, fields, imports }: Ir): readonly string[] {
  const taken = new Set([
    ...[...params, ...fields].map(({ name }) => name),
    ...imports.map((imported) => imported.as),
  ]);
  return [...nodeCounts].filter((name) => !taken.has(name)).map((name) => `${name}: $Count`);
}

/** `error` on arrows that are taken for a failure, where the graph calls nothing else so. */
function failureOf({ params, fields, imports, models, memories, config }: Ir): readonly string[] {
  const taken = [
    ...[...params, ...fields, ...models, ...memories].map(({ name }) => name),
    ...imports.map((imported) => imported.as),
    ...config.map(({ key }) => key),
  ];
  return taken.includes("error") ? [] : ["error: $Failure"];
}

/** A model is an id or what a function makes; a server its command, its address or such an object. */
function writeDeclarations({ to, graph }: GraphContext): void {
  const named = { call: "$is<string | object>", purpose: "value" } as const;
  for (const { value, options } of [...graph.models, ...graph.mcps]) {
    writeCheck(to, named, value);
    writeCheck(to, VALUE, options);
  }
}

/** The settings of a memory, and the key of what is stored: an expression over its members. */
function writeMemory(
  { to, graph, declared }: GraphContext,
  { type, by, options }: Ir["memories"][number],
): void {
  writeCheck(to, VALUE, options);
  if (by === undefined) return;
  const shape = resolveType(type, new Map(graph.types.map((one) => [one.name, one.type])));
  const members = shape?.kind === "object" ? shape.members : [];
  const taken = members.map(
    (member) => `${localName(member.name)}: ${fieldType(member, declared)}`,
  );
  to.raw(`void ((${taken.join(", ")}) => {\n`);
  writeCheck(to, VALUE, by);
  to.raw("});\n");
}

function writeStops({ to, graph }: GraphContext): void {
  for (const condition of graph.endWhen) writeCheck(to, CONDITION, condition);
  for (const { condition } of graph.breaks) writeCheck(to, CONDITION, condition);
  for (const { consent } of graph.approvals) {
    writeCheck(to, SHOWN, consent.text);
    writeCheck(to, CONDITION, consent.when);
    writeCheck(to, VALUE, consent.from);
    for (const next of consent.then ?? []) writeCheck(to, VALUE, next.to);
  }
}
