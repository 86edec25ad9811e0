import type { FieldIr, NodeIr, WriteIr } from "../../../dsl/index.ts";
import { localName, memberAccess, scopeName } from "./prelude.ts";
import { typeText } from "./type-text.ts";
import { CONDITION, type GraphContext, SHOWN, VALUE, writeCheck } from "./write-check.ts";
import { toSpan, writeArguments } from "./write-expression.ts";
import { fieldType, writeDefault, writeField, writtenType } from "./write-field.ts";

/** Writes the check of a node: a function over its parameters and its own state. */
export function writeNode(context: GraphContext, node: NodeIr): void {
  const { to, graph, declared, places } = context;
  const own = graph.fields.filter(({ owner }) => owner === node.name);
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
  else writeCall(context, node);
  writeTexts(context, node);
  writeTools(context, node);
  writeWrites(context, node);
  writePolicies(context, node);
}

/** What an agent gives back: the one field that it writes, or an object of them all. */
function resultType({ graph, declared }: GraphContext, { writes }: NodeIr): string {
  if (writes.some(({ value }) => value !== undefined)) return "any";
  const types = writes.map(({ field }) => {
    const found = graph.fields.find(({ name }) => name === field);
    return { field, type: found === undefined ? "any" : typeText(found.type, declared) };
  });
  const [first] = types;
  if (types.length === 1 && first !== undefined) return first.type;
  return `{ ${types.map(({ field, type }) => `${JSON.stringify(field)}: ${type}`).join("; ")} }`;
}

/** The function is called for real, so that TypeScript infers what it returns. */
function writeCall({ to, graph, places }: GraphContext, node: NodeIr): void {
  const { callee, args } = node.call ?? { callee: [], args: [] };
  const [head = "", ...members] = callee;
  const isTyped = node.kind === "run" && graph.mcps.every(({ name }) => name !== head);
  if (!isTyped) {
    for (const { value } of args) writeCheck(to, VALUE, value);
    to.raw("const result: any = null;\n");
    return;
  }
  const place = places.node(node.name).callee ?? toSpan(node.span);
  const writeCallee = () => {
    to.raw(scopeName(head));
    for (const member of members) to.raw(memberAccess(member));
  };
  to.raw("const result = await ");
  to.for("argument", place, () => {
    writeCallee();
    writeArguments(to, args);
  });
  to.raw(";\n");
  // Whether one argument too few is the context that the engine adds.
  to.echo(() => {
    writeCallee();
    writeArguments(to, args, () => to.for("context", place, () => void to.raw("$context")));
  });
  to.raw(";\n");
}

function writeTexts({ to }: GraphContext, node: NodeIr): void {
  for (const text of [node.system, node.prompt, node.ask?.question]) writeCheck(to, SHOWN, text);
  writeCheck(to, VALUE, node.model);
  writeCheck(to, VALUE, node.ask?.from);
  writeCheck(to, VALUE, node.context);
  writeCheck(to, VALUE, node.session?.value);
  for (const skill of node.skills) writeCheck(to, VALUE, skill);
  for (const { value } of node.controller?.args ?? []) writeCheck(to, VALUE, value);
}

/** A tool is a function; `docs.*` is an object that holds some. Those of a server are known when it runs. */
function writeTools({ to, graph, places }: GraphContext, node: NodeIr): void {
  const servers = new Set(graph.mcps.map(({ name }) => name));
  for (const tool of node.tools) {
    const [head = ""] = tool;
    if (servers.has(head) || head === "*") continue;
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
      to.for("write", place, () => void to.raw(`result${member}`));
      to.raw(");\n");
    }
    writeVia(context, write);
  }
  for (const { field, value } of node.sets) {
    writeCheck(to, { call: `$is<${writtenType(context, field)}>`, purpose: "write" }, value);
  }
}

function writeVia({ to, graph, declared }: GraphContext, { field, via }: WriteIr): void {
  const found = graph.fields.find((one) => one.name === field);
  if (via === undefined || via.custom || found === undefined) return;
  const call = `$by<${typeText(found.type, declared)}>`;
  for (const argument of via.args) writeCheck(to, { call, purpose: "reducer" }, argument);
}

function writePolicies({ to, graph, declared }: GraphContext, node: NodeIr): void {
  for (const { condition, by } of node.ensures)
    writeCheck(to, by === undefined ? CONDITION : SHOWN, condition);
  for (const { consent } of node.approvals) {
    writeCheck(to, SHOWN, consent.text);
    writeCheck(to, CONDITION, consent.when);
  }
  writeCheck(to, VALUE, node.every?.interval);
  writeCheck(to, VALUE, node.every?.intervalMax);
  const until = {
    call: "$is<boolean | number | string | null | undefined>",
    purpose: "condition",
  } as const;
  writeCheck(to, until, node.every?.until);
  for (const value of [...(node.cache?.by ?? []), ...node.recalls.map((recall) => recall.by)])
    writeCheck(to, VALUE, value);
  for (const { value, memory } of node.stores) {
    const type = graph.memories.find(({ name }) => name === memory)?.type;
    const call = `$is<${type === undefined ? "any" : typeText(type, declared)}>`;
    writeCheck(to, { call, purpose: "write" }, value);
  }
}
