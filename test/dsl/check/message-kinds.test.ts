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
