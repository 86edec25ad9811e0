/** The tools that a model is sent, by what its node declares. */
import { afterEach, expect, test } from "vitest";
import { tool } from "../../../runtime/index.ts";
import { compatibleChat } from "../../support/providers/openai-chat.ts";
import { type ProtocolServer, protocolServer } from "../../support/providers/protocol-server.ts";
import { newSession } from "../scoped-run.ts";

let server: ProtocolServer;
afterEach(() => server.close());

const EMPTY = { type: "object" } as const;
const declared = (description: string) =>
  tool(() => description, { effect: "none", description, input: EMPTY });
const scope = {
  docs: { look: declared("looks") },
  handoff: declared("hands over"),
  results: { read: declared("reads results of elections") },
};

interface OfferedCase {
  readonly clauses: string;
  readonly ends?: string;
}

/** Runs a program with an agent `work` against a server of a model, and returns the tools that the server was sent. */
async function sentTools({ clauses, ends = "work -> end" }: OfferedCase) {
  server = await protocolServer(compatibleChat, () => ({
    kind: "answer",
    answer: { text: "other" },
  }));
  const { provider, model } = compatibleChat;
  const session = newSession({ env: compatibleChat.env(server.url, "a-key-of-a-test") });
  const graph = session.compile(
    `model m = "${provider}/${model}"
graph Work(task: string) returns answer {
  state {
    answer: string
    other:  string = ""
  }
  agent work { model m; prompt \`\${task}\`; writes answer; limit 3 turns; ${clauses} }
  ${ends.includes("other") ? 'agent other "knows more" { model m; prompt `Go on.`; writes other }' : ""}
  start -> work
  ${ends}
}`,
    { scope },
  ).Work;
  await graph?.run({ task: "Do it." }).settled();
  const [first] = server.requests;
  return first?.tools ?? ["nothing was sent"];
}

const MAY_HAND_OVER = "work -> other | end\n  other -> end";

test.each<[string, OfferedCase, readonly string[]]>([
  ["nothing: none", { clauses: "" }, []],
  ["a tool: that one", { clauses: "tools docs.look" }, ["docs_look"]],
  [
    "somebody to hand over to: a tool for that",
    { clauses: "tools docs.look", ends: MAY_HAND_OVER },
    ["docs_look", "handoff"],
  ],
  [
    "`state.*`: those for the state",
    { clauses: "tools state.*" },
    ["state_list", "state_read", "state_write"],
  ],
  ["one for the state: that one", { clauses: "tools state.read" }, ["state_read"]],
  [
    "results that are shortened: one that reads the rest",
    { clauses: "tools docs.look; context { offload: 2k }" },
    ["docs_look", "results_read"],
  ],
  [
    "a tool with the name of one of ours: the program's wins",
    { clauses: "tools results.read, handoff; context { offload: 2k }", ends: MAY_HAND_OVER },
    ["results_read", "handoff", "handoff_2"],
  ],
])("E71 [LB] a model is sent the tools that its node needs; with %s", async (_, of, tools) => {
  expect(await sentTools(of)).toEqual(tools);
});
