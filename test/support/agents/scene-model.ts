/** A server on loopback in the place of a real agent's model: it has the agent play the scenes that the recorded wire plays by itself. */
import { isRecord } from "../../../dsl/index.ts";
import type { Protocol } from "../providers/protocol.ts";
import {
  protocolServer,
  type ServedRequest,
  type ServerMove,
} from "../providers/protocol-server.ts";

/** The variables of a scene, as the stubs have them. */
export type SceneVariables = Readonly<Record<string, string>>;

export interface SceneModel {
  /** The address of the model for a session that plays this scene. */
  readonly url: (scene: string, variables: SceneVariables) => string;
  /** The names of the run's own tools, and what came of each of its calls, in the last request of Anthropic's protocol. */
  readonly stateCalls: () => readonly unknown[];
  readonly close: () => Promise<void>;
}

const STATE_TOOLS = "mcp__madrigal__";

/** It waits so many requests for a word that a person says. */
const WAITS_MAX = 500;

export async function sceneModel(protocol: Protocol): Promise<SceneModel> {
  const scenes: (readonly [string, SceneVariables])[] = [];
  let last: ServedRequest | undefined;
  const server = await protocolServer(protocol, (request) => {
    const [scene, variables] = scenes[Number(request.path.split("/")[1])] ?? ["", {}];
    const play = SCENES[scene];
    // Every other request to its makers is refused.
    if (play === undefined || request.tools.length === 0) return { kind: "status", status: 400 };
    last = request;
    return play(request, variables);
  });
  return {
    url: (...scene) => `${server.url}/${scenes.push(scene) - 1}`,
    stateCalls: () => (last === undefined ? [] : stateCalls(last)),
    close: () => server.close(),
  };
}

const text = (words: string): ServerMove => ({ kind: "answer", answer: { text: words } });

function call(request: ServedRequest, name: string, input: unknown, words?: string): ServerMove {
  const calls = [{ id: `toolu_${request.calls.length + 1}`, name, input }];
  return { kind: "answer", answer: { calls, ...(words === undefined ? {} : { text: words }) } };
}

/** Reads a file and writes it, as the agent's own tool demands. */
function writes(request: ServedRequest, file: string, content: string, end: string): ServerMove {
  const input = { file_path: file };
  const moves = [
    () => call(request, "Read", input),
    () => call(request, "Write", { ...input, content }),
  ];
  return moves[request.calls.length]?.() ?? text(end);
}

/** Answers with a text, or by the schema that it was asked for. */
function says(request: ServedRequest, said: unknown): ServerMove {
  const isSaid = request.calls.some(({ name }) => name === "StructuredOutput");
  if (typeof said === "string") return text(said);
  return isSaid ? text("done") : call(request, "StructuredOutput", said);
}

const SCENES: Readonly<
  Record<string, (request: ServedRequest, variables: SceneVariables) => ServerMove>
> = {
  talks: () => text("I think about it."),
  says: (request, { STUB_SAYS = '""' }) => says(request, JSON.parse(STUB_SAYS)),
  asks: (request) => writes(request, "note.txt", "hello\n", "ok"),
  edits: (request, { STUB_TEXT = "theirs\n" }) => {
    const file = request.texts.map((one) => /FILE:([\w.]+)/.exec(one)?.[1]).find(Boolean);
    return writes(request, file ?? "note.txt", STUB_TEXT, "edited");
  },
  steered: (request) => {
    const told = /look at [\w.]+ first/.exec(request.texts.join("\n"))?.[0];
    if (told !== undefined || request.calls.length > WAITS_MAX) return text(`told: ${told}`);
    const words = request.calls.length === 0 ? "I wait for a word." : undefined;
    return call(request, "Read", { file_path: "note.txt" }, words);
  },
  state: (request, { STUB_CALLS = "[]", STUB_SAYS = "{}" }) => {
    const calls: readonly (readonly [string, unknown])[] = JSON.parse(STUB_CALLS);
    const next = calls[request.calls.length];
    if (next === undefined) return says(request, JSON.parse(STUB_SAYS));
    return call(request, `${STATE_TOOLS}${next[0]}`, next[1]);
  },
};

function stateCalls({ body }: ServedRequest): readonly unknown[] {
  // Tools that the agent loads when they are first called are named in a text.
  const offered = JSON.stringify(body).matchAll(new RegExp(`${STATE_TOOLS}(\\w+)`, "g"));
  const names = new Map<unknown, string>();
  const results: unknown[] = [];
  const messages = isRecord(body) && Array.isArray(body.messages) ? body.messages : [];
  for (const block of messages.flatMap(({ content }) => content).filter(isRecord)) {
    if (block.type === "tool_use") names.set(block.id, String(block.name));
    const name = names.get(block.tool_use_id);
    if (block.type === "tool_result" && name?.startsWith(STATE_TOOLS) === true)
      results.push([name.slice(STATE_TOOLS.length), block.is_error === true, words(block.content)]);
  }
  return [[...new Set(Array.from(offered, ([, name]) => name))], ...results];
}

function words(content: unknown): string {
  return Array.isArray(content) ? content.map((one) => String(one.text)).join("") : String(content);
}
