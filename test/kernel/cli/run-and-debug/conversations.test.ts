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
