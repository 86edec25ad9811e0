import { localName } from "./prelude.ts";
import { typeText } from "./type-text.ts";
import { CONDITION, type GraphContext, SHOWN, VALUE, writeCheck } from "./write-check.ts";
import { writeExpression } from "./write-expression.ts";
import { fieldType, writeDefault, writeField } from "./write-field.ts";
import { writeEdges } from "./write-flow.ts";
import { writeNode } from "./write-node.ts";

/** Writes the function that checks a graph. It is never called: its parameters are what the graph's expressions may name. */
export function writeGraph(context: GraphContext): void {
  const { to, graph } = context;
  to.raw(`async function $check_${graph.name}(${parameters(context).join(", ")}) {\n`);
  for (const { key, value } of graph.config) {
    to.raw(`const ${localName(key)} = `);
    writeExpression(to, value);
    to.raw(";\n");
  }
  for (const param of graph.params) writeDefault(context, param);
  for (const field of graph.fields.filter(({ owner }) => owner === undefined))
    writeField(context, field);
  writeDeclarations(context);
  for (const node of graph.nodes) writeNode(context, node);
  writeEdges(context, graph.edges);
  writeStops(context);
  to.raw("}\n");
}

function parameters({ graph, declared }: GraphContext): readonly string[] {
  const shared = graph.fields.filter(({ owner }) => owner === undefined);
  return [
    ...[...graph.params, ...shared].map(
      (field) => `${localName(field.name)}: ${fieldType(field, declared)}`,
    ),
    ...graph.memories.map(
      ({ name, type }) => `${localName(name)}: (${typeText(type, declared)})[]`,
    ),
    ...graph.models.map(({ name }) => `${localName(name)}: string`),
    `state: ${graph.name}.State`,
    "run: { readonly cost: number; readonly steps: number; readonly time: number; readonly now: any }",
    "result: any, call: any, inbox: any, team: any, artifacts: any",
    ...graph.nodes.map(({ name, params }) => {
      const taken = params.map(
        (param) =>
          `${localName(param.name)}${param.optional || param.default !== undefined ? "?" : ""}: ${typeText(param.type, declared)}`,
      );
      return `$to_${name}: (${taken.join(", ")}) => void`;
    }),
  ];
}

function writeDeclarations({ to, graph }: GraphContext): void {
  for (const { value, options } of [...graph.models, ...graph.mcps]) {
    writeCheck(to, VALUE, value);
    writeCheck(to, VALUE, options);
  }
}

function writeStops({ to, graph }: GraphContext): void {
  for (const condition of graph.endWhen) writeCheck(to, CONDITION, condition);
  for (const { condition } of graph.breaks) writeCheck(to, CONDITION, condition);
  for (const { consent } of graph.approvals) {
    writeCheck(to, SHOWN, consent.text);
    writeCheck(to, CONDITION, consent.when);
  }
}
