/** Writes the check of a `test` block. */
import {
  type ExprIr,
  findByName,
  isMessagesType,
  type NodeIr,
  type TestIr,
} from "../../../../dsl/index.ts";
import { localName } from "./prelude.ts";
import { typeText } from "./type-text.ts";
import { CONDITION, type GraphContext, TEXT, writeCheck } from "./write-check.ts";
import { fieldType, writtenType } from "./write-field.ts";

/** Writes the check of a test of the graph: what is given, what nodes say, what is expected of the run. */
export function writeTest(context: GraphContext, test: TestIr): void {
  const { to, graph } = context;
  to.raw(`void ((${runWords(context).join(", ")}) => {\n`);
  for (const { name, value } of test.givens) {
    const field = [...graph.params, ...graph.fields].find((one) => one.name === name);
    // Messages are read in many forms when the run begins.
    const isAny = field === undefined || isMessagesType(field.type, context.declared);
    const type = isAny ? "any" : fieldType(field, context.declared);
    writeCheck(to, { call: `$is<${type}>`, purpose: "default" }, value);
  }
  for (const { node, lines } of test.scripts)
    for (const { how, value } of lines) {
      const scripted = { call: `$is<${saidType(context, node)}>`, purpose: "write" } as const;
      if (how !== "expires") writeCheck(to, how === "says" ? scripted : OF_WORDS[how], value);
    }
  const { when } = test.anyInput ?? {};
  if (when !== undefined) writeCheck(to, CONDITION, when);
  for (const expect of test.expects)
    if (expect.kind === "holds") writeCheck(to, CONDITION, expect.condition);
    else if (expect.kind === "told") writeCheck(to, OF_WORDS.answers, expect.payload);
  to.raw("});\n");
}

/** The value that a scripted node fails with: its message, or an object with more. */
const FAILURE = { ...TEXT, call: "$is<string | object>" } as const;

const OF_WORDS = {
  fails: FAILURE,
  denied: TEXT,
  // The run holds it against the question, whose kind is not known here.
  answers: { ...TEXT, call: "$is<unknown>" },
  calls: {
    ...TEXT,
    call: "$is<{ tool: string; input?: object; result?: unknown; fails?: string }>",
  },
} as const;

/** The words of an expectation, where the graph does not call something else so. */
function runWords({ graph, declared }: GraphContext): readonly string[] {
  const taken = new Set([...graph.params, ...graph.fields].map(({ name }) => name));
  const json = typeText({ kind: "named", name: "Json", args: [] }, declared);
  const words: Readonly<Record<string, string>> = {
    cost: "number",
    steps: "number",
    path: "string[]",
    toolCalls: `{ node: string; tool: string; input: ${json}; result: ${json}; fails: string | null }[]`,
    status: '"succeeded" | "failed"',
    // It may be null; then its members are null too, and the expectation fails.
    error: "$Failure",
  };
  const { cost: _, steps: __, ...more } = words;
  const ending = Object.entries(more).map(([word, type]) => `readonly ${word}: ${type}`);
  const bare = Object.entries(words)
    .filter(([word]) => !taken.has(word))
    .map(([word, type]) => `${localName(word)}: ${type}`);
  return [...bare, `run: $Run & { ${ending.join("; ")} }`];
}

/**
 * Returns the type of a node's scripted result: that of its writes, for a router the name of a
 * target.
 */
function saidType(context: GraphContext, name: string): string {
  const node = findByName(context.graph.nodes, name);
  if (node === undefined) return "any";
  if (node.kind === "router") return "string";
  const { writes, conversation } = node;
  if (isChoosing(context, name))
    return writes.length === 0 && conversation === undefined ? "string" : "any";
  const isComputed = writes.some(({ value }) => value !== undefined && !isPart(value));
  const [only] = writes;
  if (only === undefined || isComputed) return "any";
  if (writes.length === 1 && only.value === undefined) return memberType(context, only);
  const members = writes.map((write) => {
    const member = write.value === undefined ? write.field : partOf(write.value);
    const mark = write.optional ? "?" : "";
    return `${JSON.stringify(member)}${mark}: ${memberType(context, write)}`;
  });
  return `{ ${members.join("; ")} }`;
}

/**
 * Returns whether a node's result picks a target, by name or as `{ goto, update }`, whose names the
 * language's own check knows.
 */
function isChoosing({ graph }: GraphContext, name: string): boolean {
  return graph.edges.some(
    ({ from, route }) => route.kind === "pick" && from.kind === "any" && from.nodes.includes(name),
  );
}

function memberType(context: GraphContext, { field, via, optional }: NodeIr["writes"][number]) {
  const type = writtenType(context, field, via);
  return optional ? `${type} | null | undefined` : type;
}

/** `result.part`. */
function isPart(value: ExprIr): boolean {
  return value.kind === "member" && value.object.kind === "name" && value.object.name === "result";
}

function partOf(value: ExprIr): string {
  return value.kind === "member" ? value.name : "";
}
