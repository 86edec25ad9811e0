/** Shows the exact messages in which an agent sees what it and others have said. */
import { afterEach, expect, test } from "vitest";
import { Session } from "../../../../runtime/index.ts";
import {
  type OpenAiServer,
  openAiServer,
  type ServerAnswer,
} from "../../../support/openai-server.ts";

const sessions: Session[] = [];
const servers: OpenAiServer[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
  for (const server of servers.splice(0)) await server.close();
});

/** Runs a graph against a server that answers in order, and gives the messages of each request. */
async function asked(text: string, answers: readonly ServerAnswer[]) {
  const server = await openAiServer(answers);
  servers.push(server);
  const env = { OPENAI_COMPATIBLE_BASE_URL: server.url };
  const session = new Session({ store: "memory", env });
  sessions.push(session);
  const { G } = session.compile(text);
  await G?.run({}).output;
  return server.requests.map(({ body }) => body.messages);
}

const loop = (history: string) => `model m = "openai-compatible/tiny"
graph G() returns notes {
  state {
    notes: string = ""
    at: int = 1
  }
  agent write { model m; system "Be short."; prompt \`Question \${at}\`; writes notes; set at = at + 1; ${history} }
  start -> write -> { at > 5 -> end, else -> write max 9 }
}`;

const answers = ["one", "two", "three", "four", "five"].map((text) => ({ text }));
const system = { role: "system", content: "Be short." };
const question = (at: number) => ({ role: "user", content: `Question ${at}` });
const answer = (content: string) => ({ role: "assistant", content });

test("W07 on its third turn a model gets what was said in the two before, message by message", async () => {
  const requests = await asked(loop("history own"), answers);
  expect(requests[2]).toEqual([
    system,
    question(1),
    answer("one"),
    question(2),
    answer("two"),
    question(3),
  ]);
});

test("S07 with `history none` the fifth request has the system's message and one question alone", async () => {
  const requests = await asked(loop("history none"), answers);
  expect(requests[4]).toEqual([system, question(5)]);
});

test("M11 an agent sees its own messages as the assistant's, and those of others by their names as a user's", async () => {
  const text = `model m = "openai-compatible/tiny"
graph G() returns text {
  state {
    text: string = ""
    verdict: string = ""
    at: int = 0
  }
  agent writer { model m; system "You write."; prompt \`Draft \${at}\`; writes text; set at = at + 1; tell critic as review }
  agent critic { model m; system "You judge."; prompt \`Judge.\`; writes verdict; tell writer as review }
  start -> writer -> critic
  critic -> { at > 1 -> end, else -> writer max 3 }
}`;
  const requests = await asked(
    text,
    ["first draft", "too long", "second draft", "good"].map((one) => ({ text: one })),
  );
  expect(requests).toEqual([
    [
      { role: "system", content: "You write." },
      { role: "user", content: "Draft 0" },
    ],
    [
      { role: "system", content: "You judge." },
      { role: "user", content: "[review from writer]\nfirst draft" },
      { role: "user", content: "Judge." },
    ],
    [
      { role: "system", content: "You write." },
      { role: "user", content: "Draft 0" },
      { role: "assistant", content: "first draft" },
      { role: "user", content: "[review from critic]\ntoo long" },
      { role: "user", content: "Draft 1" },
    ],
    [
      { role: "system", content: "You judge." },
      { role: "user", content: "[review from writer]\nfirst draft" },
      { role: "user", content: "Judge." },
      { role: "assistant", content: "too long" },
      { role: "user", content: "[review from writer]\nsecond draft" },
      { role: "user", content: "Judge." },
    ],
  ]);
});
