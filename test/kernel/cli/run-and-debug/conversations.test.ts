/** Conversations in the output of `run` and `show`: a paragraph a message. */
import { expect, test } from "vitest";
import { document, said, workspace } from "../calling.ts";

const program = `model m = "scripted"

graph Talk(question: string) returns messages {
  state { messages: Messages = [{ role: "user", content: "Hello" }] }
  human reply { ask \`\${question}\`; writes messages }
  start -> reply -> end
}
`;

test("a conversation is printed as one, and as JSON in a document", async () => {
  const home = workspace({ "talk.madrigal": program });
  const words = [
    "run",
    "talk.madrigal",
    "--input",
    '{"question": "And?"}',
    "--answers",
    '{"reply": "Yes."}',
  ];
  const ran = await said(home, words);
  expect(ran).toContain("messages:\nuser: Hello\nuser: Yes.");
  expect(await said(home, ["show", "last"])).toContain("user: Hello\nuser: Yes.");
  expect(await document(home, ["show", "last"])).toMatchObject({
    json: { output: { messages: [{ role: "user" }, { role: "user", content: "Yes." }] } },
  });
});

test("a run is forked with an edited conversation, by the command and in the debugger, and becomes a test", async () => {
  const home = workspace({ "talk.madrigal": program });
  const answers = ["--answers", '{"reply": "Yes."}'];
  await said(home, ["run", "talk.madrigal", "--input", '{"question": "And?"}', ...answers]);
  const edit = '{"messages": ["Good evening", {"type": "ai", "content": "Welcome"}]}';
  expect(await said(home, ["fork", "last", "0", "--set", edit])).toContain("reply asks: And?");
  const answered = await said(home, ["answer", "last", "reply", "Gladly."]);
  expect(answered).toContain("messages:\nuser: Good evening\nassistant: Welcome\nuser: Gladly.");
  expect(
    await said(home, ["fork", "last", "0", "--set", '{"messages": [{"text": "Hi"}]}']),
  ).toContain("M8690");
  const lines = [
    'fork 1 messages = [{ "role": "user", "content": "Another" }]',
    "print messages.map(x => x.content)",
    "run 1",
    "test forked",
  ];
  const debugged = await said(home, ["debug", "last"], { stdin: `${lines.join("\n")}\n` });
  expect(debugged).toMatchInlineSnapshot(`
    "exit 0
    run RUN of Talk, succeeded, step 1 reply; \`help\` lists the commands
    run 2: RUN, forked from RUN at step 1
    ["Another"]
    run 1: succeeded, step 1 reply
    test "forked" of Talk {
      given question = "And?"
      given messages = [{ id: "m-b1f8706097a8", role: "user", content: "Good evening" }, { id: "m-c50fda5ed155", role: "assistant", content: "Welcome" }]
      reply answers "Gladly."
      expect path reply -> end
      expect messages.map(x => x.content) == ["Good evening", "Welcome", "Gladly."]
    }"
  `);
});
