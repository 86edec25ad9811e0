/** Makes a model that gives scripted answers, for tests. */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { nearest } from "../../../dsl/index.ts";
import { FailureError } from "../../failure.ts";
import type { Json } from "../values/json.ts";
import { estimatedUsage } from "./estimated-usage.ts";
import { atOnce } from "./heard-model.ts";

/**
 * A scripted answer to one call: a text; a turn of tool calls, of a failure, or for certain prompts only; or other
 * JSON, which is said as JSON text.
 */
export type ScriptedAnswer = Json | ScriptedModelTurn;

/** One answer with all that it may have. At least one of `says`, `calls` and `fails` stands in it. */
export interface ScriptedModelTurn {
  /** A text, or a value that is said as JSON. */
  readonly says?: Json;
  /** Calls of tools that the node has, each by the name that the program writes (`docs.search`) or that its model is told. */
  readonly calls?: readonly { readonly tool: string; readonly input?: Json }[];
  /** The call fails with this message, as a model's own error does. */
  readonly fails?: string;
  /** Only for a prompt that contains this text, or that this pattern matches. */
  readonly when?: string | RegExp;
}

/** A list is for whoever asks next; an object is by node: one answer, or a list of them. */
export type Script =
  | readonly ScriptedAnswer[]
  | { readonly [node: string]: ScriptedAnswer | readonly ScriptedAnswer[] };

/** The key of `providerOptions` under which a performer tells a scripted model who asks (`AskedBy`). */
export const ASKED_BY = "madrigal";

/** The node that asks a scripted model. */
export interface AskedBy {
  readonly node: string;
  /** The node's tools: names for models by names of the program. A script that calls another one is M8122. */
  readonly tools?: Readonly<Record<string, string>>;
}

/**
 * A model for tests: it says what it is told to, in order, and nothing else. Every answer is used once. A node's list
 * of answers is a list even where a node writes a list: `{ plan: [["a", "b"]] }` says one list.
 */
export function scripted(script: Script): LanguageModelV4 {
  const queues = queuesOf(script);
  const answer = (call: LanguageModelV4CallOptions) => partsOf(nextAnswer(queues, call), call);
  const model = {
    specificationVersion: "v4",
    provider: "madrigal",
    modelId: "scripted",
    supportedUrls: {},
    doGenerate: async (call: LanguageModelV4CallOptions) => {
      const { content, finish, usage } = answer(call);
      return { content, finishReason: { unified: finish, raw: undefined }, usage, warnings: [] };
    },
  } as const;
  return atOnce(model, (call) => streamOf(answer(call)));
}

// ── which answer ────────────────────────────────────────────────────────────────────────────────

interface Queue {
  /** Absent: for every node. */
  readonly node?: string;
  readonly answers: ScriptedModelTurn[];
}

function queuesOf(script: Script): Queue[] {
  if (isList(script)) return [{ answers: script.map(turnOf) }];
  return Object.entries(script).map(([node, answers]) => ({
    node,
    answers: isList(answers) ? answers.map(turnOf) : [turnOf(answers)],
  }));
}

function isList(value: unknown): value is readonly ScriptedAnswer[] {
  return Array.isArray(value);
}

const TURN_KEYS = ["says", "calls", "fails", "when"];

function turnOf(answer: ScriptedAnswer): ScriptedModelTurn {
  return isTurn(answer) ? answer : { says: answer };
}

function isTurn(answer: ScriptedAnswer): answer is ScriptedModelTurn {
  if (typeof answer !== "object" || answer === null || isList(answer)) return false;
  const keys = Object.keys(answer);
  const says = keys.some((key) => key !== "when" && TURN_KEYS.includes(key));
  return says && keys.every((key) => TURN_KEYS.includes(key));
}

function nextAnswer(queues: readonly Queue[], call: LanguageModelV4CallOptions): ScriptedModelTurn {
  const node = askingNode(call);
  const mine = queues.filter((queue) => queue.node === undefined || queue.node === node);
  const prompt = promptText(call);
  for (const { answers } of mine) {
    const index = answers.findIndex(({ when }) => isFor(prompt, when));
    const [answer] = index < 0 ? [] : answers.splice(index, 1);
    if (answer !== undefined) return answer;
  }
  throw ranOut(mine, { node, prompt });
}

function isFor(prompt: string, when: string | RegExp | undefined): boolean {
  if (when === undefined) return true;
  return typeof when === "string" ? prompt.includes(when) : prompt.search(when) >= 0;
}

function askingNode(call: LanguageModelV4CallOptions): string | undefined {
  const node = call.providerOptions?.[ASKED_BY]?.node;
  return typeof node === "string" ? node : undefined;
}

// The last thing that a person or the graph said: what comes after it are the model's own turns and tool results.
function promptText({ prompt }: LanguageModelV4CallOptions): string {
  const last = prompt.findLast((message) => message.role === "user");
  if (last?.role !== "user") return "";
  return last.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

function ranOut(
  mine: readonly Queue[],
  asked: { readonly node: string | undefined; readonly prompt: string },
): FailureError {
  const who = asked.node === undefined ? "" : ` for \`${asked.node}\``;
  const left = mine.flatMap(({ answers }) => answers).length;
  const short = asked.prompt.length > 120 ? `${asked.prompt.slice(0, 117)}…` : asked.prompt;
  const message =
    left === 0
      ? `the scripted model has no answer left${who}; it was asked: ${short}`
      : `none of the scripted model's ${left} answers left${who} is for this prompt: ${short}`;
  const hint = "add the answer that is missing, or find out why the graph asks once more";
  return new FailureError({ class: "model", code: "M8109", message, hint });
}

// ── as a model says it ──────────────────────────────────────────────────────────────────────────

type SaidPart =
  | { type: "text"; text: string }
  | { type: "tool-call"; toolCallId: string; toolName: string; input: string };

interface ScriptedReply {
  readonly content: SaidPart[];
  readonly finish: "stop" | "tool-calls";
  readonly usage: LanguageModelV4Usage;
}

function partsOf(
  { says, calls = [], fails }: ScriptedModelTurn,
  call: LanguageModelV4CallOptions,
): ScriptedReply {
  if (fails !== undefined) {
    const hint = "the script of this test says so";
    throw new FailureError({ class: "model", code: "M8110", message: fails, hint });
  }
  const text = typeof says === "string" ? says : says === undefined ? "" : JSON.stringify(says);
  const turn = call.prompt.filter(({ role }) => role === "assistant").length + 1;
  const names = toolsOf(call);
  const content: SaidPart[] = calls.map(({ tool, input = {} }, index) => ({
    type: "tool-call",
    toolCallId: `call-${turn}-${index + 1}`,
    toolName: names === undefined ? tool : modelNameOf(tool, names, askingNode(call)),
    input: typeof input === "string" ? input : JSON.stringify(input),
  }));
  if (text !== "") content.unshift({ type: "text", text });
  return {
    content,
    finish: calls.length > 0 ? "tool-calls" : "stop",
    usage: estimatedUsage(call, content),
  };
}

/** Returns the tools of the node that asks; undefined where the caller does not name them. */
function toolsOf({ providerOptions }: LanguageModelV4CallOptions): AskedBy["tools"] {
  return providerOptions?.[ASKED_BY]?.tools as AskedBy["tools"];
}

// A script is written by hand, so a name that does not exist is its author's mistake and no answer of a model: no retry
// and no arrow takes it.
function modelNameOf(
  tool: string,
  names: Readonly<Record<string, string>>,
  node: string | undefined,
): string {
  const modelName = Object.hasOwn(names, tool) ? names[tool] : undefined;
  if (modelName !== undefined) return modelName;
  if (Object.values(names).includes(tool)) return tool;
  const written = Object.keys(names);
  const meant = nearest(tool, written);
  const there = written.map((name) => `\`${name}\``).join(", ");
  const message = `the script calls \`${tool}\`, and \`${node}\` has no such tool`;
  const hint =
    meant === undefined
      ? there === ""
        ? "it has no tools"
        : `it has ${there}`
      : `did you mean \`${meant}\`?`;
  throw new FailureError({ class: "aborted", code: "M8122", message, hint });
}

function streamOf({ content, finish, usage }: ScriptedReply): LanguageModelV4StreamPart[] {
  const parts = content.flatMap((part, index): LanguageModelV4StreamPart[] => {
    if (part.type === "tool-call") return [part];
    const id = String(index);
    const words = part.text.match(/\S+\s*|\s+/g) ?? [];
    return [
      { type: "text-start", id },
      ...words.map((delta) => ({ type: "text-delta" as const, id, delta })),
      { type: "text-end", id },
    ];
  });
  return [
    { type: "stream-start", warnings: [] },
    ...parts,
    { type: "finish", finishReason: { unified: finish, raw: undefined }, usage },
  ];
}
