import { expect, test } from "vitest";
import { MESSAGE_KINDS } from "../../../dsl/index.ts";
import { codesOf, graph, report } from "../report.ts";

const telling = (kind: string) =>
  graph(`state { a: string[] = [topic] via append }
run x = f() writes a { tell y as ${kind} }
run y = f() writes a
start -> x -> y`);

test("A52 what a message is told as is one of a closed list, and the checker says which", () => {
  expect(report(telling("gossip"), {})).toMatchInlineSnapshot(
    `"M4910 4:34 no kind of message is called \`gossip\` (there are \`task\`, \`plan\`, \`observation\`, \`decision\`, \`review\`, \`tool_call\`, \`tool_result\`, \`artifact\`, \`handoff\`, \`error\`, \`final\`, \`steer\`, \`summary\`, \`question\`, \`answer\`)"`,
  );
  expect(report(telling("obsevration"), {})).toMatchInlineSnapshot(
    `"M4910 4:34 no kind of message is called \`obsevration\` (did you mean \`observation\`?)"`,
  );
  expect(MESSAGE_KINDS.flatMap((kind) => codesOf(telling(kind), {}))).toEqual([]);
});

test("A52 the kinds are those of the papers and ours", () => {
  const papers = "task, plan, observation, decision, review, tool_call, tool_result, artifact";
  const more = "handoff, error, final, steer, summary, question, answer";
  expect(MESSAGE_KINDS.join(", ")).toBe(`${papers}, ${more}`);
});

const typed = (field: string, tell: string) =>
  graph(`state { a: ${field} }
run x = f() writes a { tell ${tell} }
run y = g(topic, inbox.map(one => one.kind))
start -> x -> y`).replace(/^/, "type Attack = { target: string, strength: int }\n");

test("a type of the program is a kind, and what is told is of that type", () => {
  expect(codesOf(typed("Attack", "y as Attack"), {})).toEqual([]);
  expect(codesOf(typed("Attack", "* as Attack"), {})).toEqual([]);
  expect(codesOf(typed("string", "* as review"), {})).toEqual(["M2301"]);
  expect(codesOf(typed("string", "y as Attack { target: topic, strength: 1 }"), {})).toEqual([]);
  expect(codesOf(typed("string", "y as Attack { target: who, strength: 1 }"), {})).toEqual([
    "M2103",
  ]);
  expect(report(typed("string", "y as Attack"), {})).toMatchInlineSnapshot(
    `"M3241 5:34 \`x\` says \`string\`, and tells it as \`Attack\` (write a field of the type \`Attack\`, or the object that is told: \`as Attack { … }\`)"`,
  );
  expect(report(typed("Attack", "y as Atack"), {})).toMatchInlineSnapshot(
    `"M4910 5:34 no kind of message is called \`Atack\` (did you mean \`Attack\`?)"`,
  );
});
