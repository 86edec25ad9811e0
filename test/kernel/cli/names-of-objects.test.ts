/** Parameters and nodes may be called like what every object has. */
import { expect, test } from "vitest";
import { drawGraph, layoutGraph } from "../../../kernel/display/index.ts";
import { Session } from "../../../runtime/index.ts";
import { temporaryFolder } from "../../support/child.ts";

const text = `graph G(toString?: string, valueOf: string = "given") returns y {
  state { y: string = "" }
  run constructor = echo(valueOf) writes y
  run hasOwnProperty = echo(toString) writes y
  start -> constructor -> { toString == null -> end, else -> hasOwnProperty }
}`;

function graphHere() {
  const session = new Session({ store: "memory", cwd: temporaryFolder() });
  const graph = session.compile(text, { scope: { echo: (said: string) => `${said}!` } }).G;
  if (graph === undefined) throw new Error("no graph");
  return graph;
}

test("a parameter that is not given is not what every object has under its name", async () => {
  const graph = graphHere();
  expect(await graph.invoke({})).toEqual({ y: "given!" });
  expect(await graph.invoke({ toString: "said" })).toEqual({ y: "said!" });
});

test("nodes called so are drawn", async () => {
  const drawing = drawGraph(await layoutGraph(graphHere().ir));
  for (const name of ["constructor", "hasOwnProperty"]) expect(drawing).toContain(`>${name}<`);
});
