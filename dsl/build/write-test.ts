/** A test of the graph as text. */
import { isScriptWord } from "../syntax/words.ts";
import type { BuilderLine, BuilderTestOptions, BuilderValue, Texts } from "./options.ts";
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
  const { given, forAny, inAnyOrder, says = {}, path, expect } = test;
  return [
    ...(given === undefined ? [] : [`given ${writeAssigns(given)}`]),
    ...(forAny === undefined ? [] : [`for any ${forAny}`]),
    ...(inAnyOrder === undefined ? [] : ["in any order"]),
    ...Object.entries(says).map(([node, lines]) => `${node} ${lines.map(writeLine).join(", ")}`),
    ...(path === undefined ? [] : [`expect path ${path.join(" -> ")}`]),
    ...conditionsOf(expect).map((condition) => `expect ${condition}`),
  ];
}

/** A word before each line: `says "a", fails "b"`. An object of one such member alone is no value. */
function writeLine(line: BuilderLine): string {
  const [only, ...more] = typeof line === "object" ? Object.entries(line ?? {}) : [];
  const [word = "", value] = only ?? [];
  if (more.length === 0 && word !== "says" && isScriptWord(word))
    return word === "expires" ? word : `${word} ${writeValue(value)}`;
  return `says ${writeValue(line as BuilderValue)}`;
}

function conditionsOf(texts: Texts = []): readonly string[] {
  return typeof texts === "string" ? [texts] : texts;
}
