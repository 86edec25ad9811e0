/** A test of the graph as text. */
import type { BuilderLine, BuilderTestOptions, Failing, Texts } from "./options.ts";
import { type BuilderPart, callName } from "./part.ts";
import { writeBlock } from "./write-clauses.ts";
import { writeAssigns, writeValue } from "./write-value.ts";

export function testPart(title: string, graph: string, test: BuilderTestOptions): BuilderPart {
  const lines = typeof test === "string" ? [test] : testLines(test);
  return {
    call: callName("test", title),
    place: "test",
    text: `test ${JSON.stringify(title)} of ${graph} ${writeBlock(lines)}`,
    contents: "test",
  };
}

function testLines(test: Exclude<BuilderTestOptions, string>): readonly string[] {
  const { given, says = {}, path, expect } = test;
  return [
    ...(given === undefined ? [] : [`given ${writeAssigns(given)}`]),
    ...Object.entries(says).map(([node, lines]) => `${node} ${lines.map(writeLine).join(", ")}`),
    ...(path === undefined ? [] : [`expect path ${path.join(" -> ")}`]),
    ...conditionsOf(expect).map((condition) => `expect ${condition}`),
  ];
}

/** A word before each line: `says "a", fails "b"`. */
function writeLine(line: BuilderLine): string {
  return isFailure(line) ? `fails ${writeValue(line.fails)}` : `says ${writeValue(line)}`;
}

function isFailure(line: BuilderLine): line is Failing {
  return typeof line === "object" && line !== null && "fails" in line;
}

function conditionsOf(texts: Texts = []): readonly string[] {
  return typeof texts === "string" ? [texts] : texts;
}
