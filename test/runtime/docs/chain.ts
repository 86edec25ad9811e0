/** Runs the nodes of the DeepSearch program one after another, with its own prompts and types but without the engine. */
import { readFileSync } from "node:fs";
import type { LanguageModelV4Message } from "@ai-sdk/provider";
import { check, type ExprIr, type Ir, type NodeIr } from "../../../dsl/index.ts";
import {
  createDocsTools,
  type DocsTools,
} from "../../../runtime/agents/built-in-tools/docs-tools.ts";
import { rules } from "../../../runtime/agents/rules/rules.ts";
import { resolveTools } from "../../../runtime/agents/scope/tools.ts";

/** The checked program. */
export function deepSearchIr(): Ir {
  const file = "runtime/library/deep-search.madrigal";
  const text = readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8");
  const { diagnostics, graphs } = check(
    { file, text },
    { scope: ["docs.search", "docs.read", "docs.verify"] },
  );
  const [ir] = graphs;
  if (ir === undefined) throw new Error(JSON.stringify(diagnostics));
  return ir;
}

/** A finding of the program. */
export interface Finding {
  readonly package: string;
  readonly file: string;
  readonly heading: string;
  readonly quote: string;
  readonly score: number;
}

/** What one question gave. */
export interface Answered {
  readonly tasks: readonly { query: string; why: string }[];
  readonly findings: readonly Finding[];
  readonly report: string;
  /** The packages of the report's citations, in their order. */
  readonly cited: readonly string[];
  readonly toolCalls: number;
}

/** Answers questions from the documents below `root`. */
export function createChain(root: string): (question: string) => Promise<Answered> {
  const ir = deepSearchIr();
  const docs = createDocsTools({ root });
  return async (question) => {
    const input = { question, width: 3 };
    const run = (name: string, values: object) =>
      perform(ir, name, { docs, values: { ...input, ...values } });
    const tasks = (await run("plan", {})).output as Answered["tasks"];
    const searches = [];
    for (const task of tasks) searches.push(await run("search", { task }));
    const found = searches.flatMap(({ output }) => output as readonly Finding[]);
    const union = new Map(found.map((finding) => [finding.file + finding.quote, finding]));
    const findings = await docs.verify([...union.values()]);
    const report = (await run("write", { findings })).output as string;
    const cited = [...report.matchAll(/^ {3}— (\S+) · /gm)].map(([, name = ""]) => name);
    const toolCalls = searches.reduce((sum, { calls }) => sum + calls, 0);
    return { tasks, findings, report, cited, toolCalls };
  };
}

interface Means {
  readonly docs: DocsTools;
  readonly values: Readonly<Record<string, unknown>>;
}

async function perform(
  ir: Ir,
  name: string,
  { docs, values }: Means,
): Promise<{ output: unknown; calls: number }> {
  const node = ir.nodes.find((one) => one.name === name);
  if (node?.prompt === undefined) throw new Error(`the program has no agent ${name}`);
  const tools = resolveTools(node.tools, { docs });
  const prompt = String(show(node.prompt, values));
  const messages: LanguageModelV4Message[] = [
    { role: "user", content: [{ type: "text", text: prompt }] },
  ];
  for (let calls = 0; ; ) {
    const { content } = await rules().doGenerate({
      prompt: messages,
      tools: tools.map(({ modelName, description = "", inputSchema }) => ({
        type: "function",
        name: modelName,
        description,
        inputSchema,
      })),
      ...formatOf(node),
    });
    const wanted = content.filter((part) => part.type === "tool-call");
    const text = content.find((part) => part.type === "text")?.text ?? "";
    if (wanted.length === 0) return { output: outputOf(node, text), calls };
    calls += wanted.length;
    messages.push({
      role: "assistant",
      content: wanted.map((call) => ({ ...call, input: JSON.parse(call.input) })),
    });
    const results = wanted.map(async ({ toolCallId, toolName, input }) => {
      const tool = tools.find(({ modelName }) => modelName === toolName);
      const { signal } = new AbortController();
      const artifact = async () => {
        throw new Error("the docs tools make none");
      };
      const value = await tool?.call(JSON.parse(input), { signal, idempotencyKey: "", artifact });
      const output = { type: "json" as const, value: JSON.parse(JSON.stringify(value)) };
      return { type: "tool-result" as const, toolCallId, toolName, output };
    });
    messages.push({ role: "tool", content: await Promise.all(results) });
  }
}

function isText({ output }: NodeIr): boolean {
  return output?.type === "string";
}

function formatOf(node: NodeIr): object {
  const properties = { value: node.output };
  const schema = { type: "object", properties, required: ["value"] };
  return isText(node) ? {} : { responseFormat: { type: "json", schema } };
}

function outputOf(node: NodeIr, text: string): unknown {
  return isText(node) ? text : JSON.parse(text).value;
}

/** Templates, names and members are all that the program's prompts are made of. */
function show(expression: ExprIr, values: Readonly<Record<string, unknown>>): unknown {
  switch (expression.kind) {
    case "template":
      return expression.parts
        .map((part) => {
          const value = typeof part === "string" ? part : show(part, values);
          return typeof value === "object" ? JSON.stringify(value, null, 2) : String(value);
        })
        .join("");
    case "name":
      return values[expression.name];
    case "member":
      return (show(expression.object, values) as Record<string, unknown>)[expression.name];
    default:
      throw new Error(`a prompt with a ${expression.kind}`);
  }
}
