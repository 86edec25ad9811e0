/** Writes the check of one node. */
import {
  type FieldIr,
  findByName,
  isGraphTool,
  type NodeIr,
  outputTypeOf,
  type WriteIr,
} from "../../../../dsl/index.ts";
import { localName, memberAccess, scopeName } from "./prelude.ts";
import { typeText } from "./type-text.ts";
import { writeCall, writeController } from "./write-call.ts";
import { CONDITION, type GraphContext, SHOWN, TEXT, VALUE, writeCheck } from "./write-check.ts";
import { toSpan } from "./write-expression.ts";
import { fieldType, writeDefault, writeField, writeReducer, writtenType } from "./write-field.ts";

/** Writes the check of a node: a function over its parameters and its own state. */
export function writeNode(context: GraphContext, node: NodeIr): void {
  const { to, declared, places } = context;
  const own = context.ownFields.get(node.name) ?? [];
  const taken = [...node.params, ...own].map(
    (one) => `${localName(one.name)}: ${fieldType(one, declared)}`,
  );
  to.raw(`void (async (${taken.join(", ")}) => {\n`);
  to.section(places.node(node.name).name, () => writeBody(context, node, own));
  to.raw("});\n");
}

function writeBody(context: GraphContext, node: NodeIr, own: readonly FieldIr[]): void {
  const { to } = context;
  for (const param of node.params) writeDefault(context, param);
  for (const field of own) writeField(context, field);
  if (node.call === undefined) to.raw(`const result: ${resultType(context, node)} = null!;\n`);
  else writeCall(context, node, node.call);
  writeTexts(context, node);
  writeController(context, node);
  writeTools(context, node);
  writeWrites(context, node);
  writeTold(context, node);
  writePolicies(context, node);
}

/**
 * Returns the type of an agent's result: that of the one field it writes, or an object of them all.
 */
function resultType({ graph, declared }: GraphContext, { writes, conversation }: NodeIr): string {
  if (writes.length === 0 && conversation !== undefined) return "string";
  if (writes.some(({ value }) => value !== undefined)) return "any";
  const types = writes.map(({ field }) => {
    const found = findByName(graph.fields, field);
    return { field, type: found === undefined ? "any" : typeText(found.type, declared) };
  });
  const [first] = types;
  if (types.length === 1 && first !== undefined) return first.type;
  return `{ ${types.map(({ field, type }) => `${JSON.stringify(field)}: ${type}`).join("; ")} }`;
}

function writeTexts(context: GraphContext, node: NodeIr): void {
  const { to } = context;
  for (const text of [node.system, node.prompt, node.ask?.question]) writeCheck(to, SHOWN, text);
  writeCheck(to, VALUE, node.model);
  writeCheck(to, VALUE, node.ask?.from);
  for (const next of node.ask?.then ?? []) writeCheck(to, VALUE, next.to);
  writeCheck(to, VALUE, node.history?.field);
  writeCheck(to, answerCheck(context, node), node.ask?.otherwise);
  writeCheck(to, VALUE, node.context);
  writeCheck(to, TEXT, node.session?.value);
  for (const skill of node.skills) writeCheck(to, VALUE, skill);
}

/** The default answer of a question is what its node writes. */
function answerCheck({ graph, declared }: GraphContext, node: NodeIr) {
  const types = new Map(graph.types.map(({ name, type }) => [name, type]));
  const type = outputTypeOf(node, graph.fields, types);
  if (type === undefined) return VALUE;
  return { call: `$is<${typeText(type, declared)}>`, purpose: "default" } as const;
}

/** A tool is a function; `docs.*` is an object that holds some. Those of a server are known when it runs; graphs are none of the scope. */
function writeTools({ to, graph, places, servers }: GraphContext, node: NodeIr): void {
  for (const tool of node.tools) {
    const [head = ""] = tool;
    if (servers.has(head) || head === "*" || isGraphTool(graph, tool)) continue;
    const isGroup = tool.at(-1) === "*";
    const members = tool.slice(1, isGroup ? -1 : undefined);
    const place = places.node(node.name).tool(isGroup ? tool.slice(0, -1) : tool);
    to.raw(isGroup ? "$group(" : "$tool(");
    to.for("tool", place ?? toSpan(node.span), () => {
      to.raw(scopeName(head));
      for (const member of members) to.raw(memberAccess(member));
    });
    to.raw(");\n");
  }
}

function writeWrites(context: GraphContext, node: NodeIr): void {
  const { to, places } = context;
  for (const write of node.writes) {
    const place = places.node(node.name).written(write.field) ?? toSpan(node.span);
    // A value that may be left unwritten may be missing.
    const optional = write.optional ? " | undefined" : "";
    const call = `$is<${writtenType(context, write.field, write.via)}${optional}>`;
    if (write.value !== undefined) writeCheck(to, { call, purpose: "write" }, write.value);
    else if (node.call !== undefined) {
      const member = node.writes.length === 1 ? "" : `[${JSON.stringify(write.field)}]`;
      to.raw(`${call}(`);
      const purpose = member === "" ? "write" : "member";
      to.for(purpose, place, () => void to.raw(`result${member}`));
      to.raw(");\n");
    }
    writeVia(context, node, write);
  }
  for (const { field, value, via } of node.sets) {
    writeCheck(to, { call: `$is<${writtenType(context, field, via)}>`, purpose: "write" }, value);
  }
}

function writeTold({ to, graph, declared }: GraphContext, { tell }: NodeIr): void {
  const isTyped = graph.types.some(({ name }) => name === tell?.as);
  const type = isTyped && tell?.as !== undefined ? toldType(tell.as, declared) : "any";
  writeCheck(to, { call: `$is<${type}>`, purpose: "write" }, tell?.payload);
}

function toldType(name: string, declared: GraphContext["declared"]): string {
  return typeText({ kind: "named", name, args: [] }, declared);
}

function writeVia(context: GraphContext, node: NodeIr, { field, via }: WriteIr): void {
  const found = findByName(context.graph.fields, field);
  if (via === undefined || found === undefined) return;
  const place = context.places.node(node.name).via(field) ?? toSpan(node.span);
  writeReducer(context, { reducer: via, type: found.type, place });
}

function writePolicies({ to, graph, declared }: GraphContext, node: NodeIr): void {
  for (const { condition, by } of node.ensures)
    writeCheck(to, by === undefined ? CONDITION : SHOWN, condition);
  for (const { consent } of node.approvals) {
    writeCheck(to, SHOWN, consent.text);
    writeCheck(to, CONDITION, consent.when);
    writeCheck(to, VALUE, consent.from);
    for (const next of consent.then ?? []) writeCheck(to, VALUE, next.to);
  }
  const pause = { call: "$is<$Pause>", purpose: "pause" } as const;
  writeCheck(to, pause, node.every?.interval);
  writeCheck(to, pause, node.every?.intervalMax);
  writeCheck(to, { call: "$is<$End>", purpose: "condition" }, node.every?.until);
  for (const value of [...(node.cache?.by ?? []), ...node.recalls.map((recall) => recall.by)])
    writeCheck(to, VALUE, value);
  for (const { value, memory } of node.stores) {
    const type = graph.memories.find(({ name }) => name === memory)?.type;
    const one = type === undefined ? "any" : typeText(type, declared);
    // A list is stored item by item, unless the memory holds lists; null is not stored. The compiler says which member of an
    // object is wrong where the object is all that there may be.
    const list = type === undefined || type.kind === "array" ? "" : ` | (${one})[]`;
    const nothing = value.kind === "object" ? "" : " | null";
    writeCheck(to, { call: `$is<${one}${list}${nothing}>`, purpose: "write" }, value);
  }
}
