/** The end of a run that does not have what it returns. */
import { expect, test } from "vitest";
import { runText } from "../../support/run-graph.ts";

const graph = (field: string, flow = "start -> a -> { n > 5 -> b, else -> end }") =>
  `type Maybe = { at: int }
model m = "rules"
graph G(n: int = 1) returns log, report {
  state {
    log: string[] = [] via append
    ${field}
  }
  defaults { model m }
  agent a { prompt \`a\`; writes log }
  agent b { prompt \`b\`; writes report }
  ${flow}
}`;

const says = { a: "a", b: "done" };

test("W18 a run that ends on a way on which nobody writes what it returns fails, and says what is missing", () => {
  const { status, reason, snapshot, state } = runText(graph("report: string"), { says });
  expect([status, reason]).toEqual(["failed", "missing_output"]);
  expect(snapshot.failure).toMatchObject({
    code: "M5356",
    message: "`G` has come to its end, and nothing has written `report`, which it returns",
  });
  expect(state).toEqual({ log: ["a"] });
});

test("W18 the result is read from its field, not from whoever came last", () => {
  const flow = "start -> b -> a -> end";
  const { snapshot } = runText(graph("report: string", flow), { says });
  expect(snapshot.output).toEqual({ log: ["a"], report: "done" });
});

test.each([
  ["a default", 'report: string = "none"', "none"],
  ["a `?`", "report?: string", null],
  ["a type with null in it", "report: string | null", null],
])("%s says that it may stay empty", (_, field, report) => {
  const { status, snapshot } = runText(graph(field), { says });
  expect([status, snapshot.output]).toEqual(["succeeded", { log: ["a"], report }]);
});
