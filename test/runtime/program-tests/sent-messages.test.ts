/** Messages that nodes must have been sent: `expect b was told Attack { … }`. */
import { expect, test } from "vitest";
import { check } from "../../../dsl/index.ts";
import { MODEL, told } from "./testing.ts";

const SIEGE = `type Attack = { target: string, strength: int }
graph G(target: string) returns heard {
  state {
    strength: int = 0
    heard:    string[] = [] via append
  }
  run ann = gather(target) writes strength { tell bob as Attack { target, strength: strength * 2 } }
  agent bob { model m; prompt "p"; writes heard; tell cy }
  agent cy { model m; prompt "p"; writes heard }
  agent dan "defends" { model m; prompt "p"; writes heard }
  start -> ann -> bob -> dan | end
  dan -> cy
}`;
const lines = `given target = "Troy"
ann says 4
bob says { goto: "dan", handoff: { task: "Hold the gate." } }
dan says "I hold."
cy says "I heard."
`;

test.each([
  ["a kind alone", "expect bob was told Attack"],
  ["all members", 'expect bob was told Attack { target: "Troy", strength: 8 }'],
  ["some members, by an expression", "expect bob was told Attack { strength: strength * 2 }"],
  ["a handoff", 'expect dan was told handoff { task: "Hold the gate." }'],
  ["another value", "expect bob was told Attack { strength: 4 }"],
  ["another kind", "expect bob was told review"],
  ["one that is told without a kind", "expect cy was told observation"],
  ["nothing of an empty object", "expect bob was told Attack { }"],
])("%s", async (_, expectation) => {
  expect(await told(SIEGE, `${lines}${expectation}`)).toMatchSnapshot();
});

test.each([
  ["an unknown node", "expect bib was told Attack"],
  ["an unknown kind", "expect bob was told Atack"],
  ["a member that the type has not", "expect bob was told Attack { power: 3 }"],
  ["a member of another type", 'expect bob was told Attack { strength: "8" }'],
  ["an unknown name", "expect bob was told Attack { strength: power }"],
  ["half of it", "expect bob was Attack"],
])("%s is refused", (_, expectation) => {
  const text = `${MODEL}${SIEGE}\ntest "t" of G {\n${lines}${expectation}\n}`;
  const found = check({ file: "t.madrigal", text }).diagnostics;
  expect(found.map(({ code, message, hint }) => `${code} ${message} (${hint})`)).toMatchSnapshot();
});

test("fields may be called `was` and `told`", async () => {
  const graph = `graph G(was: int) returns told {
  state { told: int = 0 }
  run a = f(was) writes told
  start -> a
}`;
  expect(await told(graph, "given was = 1\na says 2\nexpect was == 1\nexpect told == 2")).toBe(
    "ok a end",
  );
});
