/** The form of an answer as it is asked of a local model, and as it is read while it comes. */
import { expect, test } from "vitest";
import { answerForm } from "../../../../../runtime/agents/models/local/answer-form.ts";
import { AnswerReader } from "../../../../../runtime/agents/models/local/answer-reader.ts";
import { chatTurns } from "../../../../../runtime/agents/models/local/chat-turns.ts";

const look = {
  type: "function" as const,
  name: "look",
  description: "Looks.",
  inputSchema: {
    type: "object" as const,
    properties: { at: { type: "string" as const }, far: { type: "boolean" as const } },
    required: ["at"],
  },
};

function rules(grammar = ""): readonly string[] {
  return grammar.split("\n").filter((line) => /^(root|r\d+) /.test(line));
}

test("any text needs no grammar", () => {
  expect(answerForm({})).toEqual({ tools: [], ignored: [] });
  expect(answerForm({ tools: [look], toolChoice: { type: "none" } })).toEqual(answerForm({}));
});

test("a tool is called by JSON, or the answer is a text that can't be mistaken for it", () => {
  const { grammar, instruction, tools } = answerForm({ tools: [look] });
  expect(rules(grammar)).toMatchInlineSnapshot(`
    [
      "root ::= "{\\"tool\\": \\"look\\", \\"arguments\\": " r15 "}" | [^{\\x00] [^\\x00]*",
      "r11 ::= "\\"far\\"" ":" space boolean  | """,
      "r12 ::= "," space "\\"far\\"" ":" space boolean  | """,
      "r13 ::= "\\"at\\"" ":" space string r12",
      "r14 ::= "," space "\\"at\\"" ":" space string r12",
      "r15 ::= "{" r13 "}"",
    ]
  `);
  expect(instruction).toMatchInlineSnapshot(`
    "To call a tool, answer with nothing but {"tool": "NAME", "arguments": {…}}; you are then told its result. Tools:
    - look: Looks. Its arguments fit this JSON Schema: {"type":"object","properties":{"at":{"type":"string"},"far":{"type":"boolean"}},"required":["at"]}"
  `);
  expect(tools).toEqual(["look"]);
});

test("a tool that must be called leaves no other answer", () => {
  const { grammar } = answerForm({ tools: [look], toolChoice: { type: "required" } });
  expect(rules(grammar)[0]).not.toContain("|");
});

test("keywords that no rule expresses are named", () => {
  const schema = {
    type: "object" as const,
    properties: {
      a: { type: "string" as const, pattern: "^x" },
      b: { not: { type: "null" as const } },
    },
    additionalProperties: { type: "number" as const },
  };
  expect(answerForm({ responseFormat: { type: "json", schema } }).ignored.toSorted()).toEqual([
    "additionalProperties",
    "not",
    "pattern",
  ]);
});

/** The parts that a text comes to, given in these pieces. */
function read(...pieces: string[]) {
  const reader = new AnswerReader(["look"]);
  const before = pieces.map((piece) => reader.write(piece).map(shown));
  return [...before, reader.end().parts.map(shown)];
}

function shown(part: { readonly type: string; readonly delta?: string; readonly input?: string }) {
  return part.delta ?? part.input ?? part.type;
}

test("a text is passed on piece by piece, a call once it is whole", () => {
  expect(read("The ", "sea")).toEqual([["text-start", "The "], ["sea"], ["text-end"]]);
  expect(read('{"to', 'ol": "look", "argu', 'ments": {"at":"x"}}')).toEqual([
    [],
    [],
    [],
    ['{"at":"x"}'],
  ]);
});

test("JSON that is no call is a text; a call that was cut off, too", () => {
  expect(read('{"t', 'o": 1}')).toEqual([[], ["text-start", '{"to": 1}'], ["text-end"]]);
  expect(read('{"tool": "look", "arg')).toEqual([
    [],
    ["text-start", '{"tool": "look", "arg', "text-end"],
  ]);
  expect(read('{"tool": "other", "arguments": {}}').at(-1)).toContain("text-end");
});

test("a conversation has one turn of a role after the other, the tools behind the system's text", () => {
  const call = { toolCallId: "1", toolName: "look" };
  const turns = chatTurns(
    [
      { role: "system", content: "You look." },
      { role: "user", content: [{ type: "text", text: "Where?" }] },
      { role: "assistant", content: [{ type: "tool-call", ...call, input: { at: "sea" } }] },
      {
        role: "tool",
        content: [{ type: "tool-result", ...call, output: { type: "json", value: ["a ship"] } }],
      },
      {
        role: "user",
        content: [
          { type: "text", text: "And?" },
          { type: "file", mediaType: "image/png", data: { type: "data", data: "" } },
        ],
      },
    ],
    "Tools: look",
  );
  expect(turns).toEqual([
    { role: "system", text: "You look.\n\nTools: look" },
    { role: "user", text: "Where?" },
    { role: "model", text: '{"tool": "look", "arguments": {"at":"sea"}}' },
    {
      role: "user",
      text: 'Result of look:\n["a ship"]\n\nAnd?\n(file that a model on this machine can\'t read)',
    },
  ]);
});
