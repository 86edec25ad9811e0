/** Where the border runs of what is said about the flow: a case that is wrong beside those that only look so. */
import { describe, expect, test } from "vitest";
import { codesOf, graph } from "../report.ts";

const list = "state { a: string[] = [topic] via append }";
const functions = ["x", "y", "z", "p", "q"].map((name) => `run ${name} = f() writes a`).join("\n");
const agents = ["x", "y", "z"]
  .map((name) => `agent ${name} { model m; prompt \`\${topic} \${a}\`; writes a }`)
  .join("\n");

/** The codes of all that is said of some arrows, apart from nodes that are not used and reads that race. */
function said(nodes: string, flow: string): readonly string[] {
  const text = graph(`${list}\n${nodes}\n${flow}`);
  return codesOf(text, { allowUnreadPrograms: true }).filter(
    (code) => code !== "M3202" && code !== "M3216",
  );
}

describe("a cycle that nothing leads out of", () => {
  test.each([
    "start -> x -> y -> x max 3",
    "start -> x -> x max 3",
    'start -> x -> { topic == "" -> y, else -> z }\ny | z -> x max 3',
    "start -> x -> [y, z] -> x max 3",
    "start -> x -> y\ny -> x\nlimit 20 steps",
  ])("%s", (flow) => {
    expect(said(agents, flow)).toEqual(["M3219"]);
  });

  test.each([
    ["a branch that ends", 'start -> x -> { topic == "" -> x max 3, else -> end }'],
    ["a choice that need not be made", 'start -> x -> { topic == "" -> x max 3 }'],
    ["a condition", 'start -> x\nx -> x max 3 when topic == ""'],
    ["somebody who picks the end", "start -> x -> x | end\nlimit 9 steps"],
    ["a way out when it is used up", "start -> x -> x max 3\nx -> y on limit"],
    ["an end of the whole run", "start -> x -> x max 3\nend when a.length > 3"],
    ["a person who is asked at the limit", "start -> x -> x\nlimit 20 steps else ask"],
    ["another side that goes on", "start -> x -> [x, y]\nlimit 20 steps"],
  ])("not with %s", (_what, flow) => {
    expect(said(agents, flow)).not.toContain("M3219");
  });

  test("not with a function, which may finish the run", () => {
    expect(said(functions, "start -> x -> y -> x max 3")).toEqual([]);
  });

  test("in the body of an each, and around one", () => {
    const item = "agent i(w: string) { model m; prompt `${topic} ${w}`; writes a }";
    const inside = "start -> each w of a { i(w) -> i(w) max 2 } -> x";
    const around = "start -> x -> each w of a { i(w) } -> x max 3";
    expect(said(`${agents}\n${item}`, inside)).toEqual(["M3219"]);
    expect(said(`${agents}\n${item}`, around)).toEqual(["M3219"]);
    expect(said(`${agents}\n${item}`, "start -> each w of a { i(w) } -> x")).toEqual([]);
  });
});

describe("a join of which only one can arrive", () => {
  test.each([
    'start -> { topic == "" -> x, else -> y }\n[x, y] -> z',
    'start -> p -> match topic { "a" -> x, "b" -> y, else -> q }\n[x, y, q] -> z',
    "start -> p\np -> x\np -> y on error\n[x, y] -> z",
    'start -> p -> { topic == "" -> x, else -> y }\n[x, y] -> z -> { topic == "a" -> p max 2, else -> end }',
  ])("%s", (flow) => {
    expect(said(functions, flow)).toEqual(["M3221"]);
  });

  test.each([
    ["all of them start", "start -> [x, y]\n[x, y] -> z"],
    ["arrows written apart", "start -> x\nstart -> y\n[x, y] -> z"],
    ["one comes after the other", "start -> x -> y\n[x, y] -> z"],
    [
      "one of several comes with another",
      'start -> p\nstart -> { topic == "" -> x, else -> y }\n[p, x, y] -> z',
    ],
    ["both conditions may hold", 'start -> x when topic != ""\nstart -> y\n[x, y] -> z'],
    [
      "the second way is taken in a second round",
      'start -> p -> { topic == "" -> x, else -> y }\nx -> p max 1\n[x, y] -> z',
    ],
    [
      "two sides come to the same choice",
      'start -> [p, q]\np | q -> { topic == "" -> x, else -> y }\n[x, y] -> z',
    ],
    ["a function may send to both", "start -> p -> x | y\n[x, y] -> z"],
  ])("not where %s", (_what, flow) => {
    expect(said(functions, flow)).not.toContain("M3221");
  });
});

describe("a quorum that can't be reached", () => {
  test.each([
    ["more than there are", "start -> [x, y]\n[x, y] need 3 -> z"],
    ["none", "start -> [x, y]\n[x, y] need 0 -> z"],
    ["more than can arrive", 'start -> { topic == "" -> x, else -> y }\n[x, y] need 2 -> z'],
    ["more than the list has", 'start -> each w of ["a", "b"] need 3 { i(w) } -> z'],
  ])("%s", (_what, flow) => {
    expect(said(`${functions}\nrun i(w: string) = f(w) writes a`, flow)).toEqual(["M3220"]);
  });

  test.each([
    "start -> [x, y]\n[x, y] need 2 -> z",
    "start -> [x, y]\n[x, y] need 1 -> z",
    'start -> { topic == "" -> x, else -> y }\n[x, y] need 1 -> z',
    "start -> each w of a need 3 { i(w) } -> z",
  ])("not in %s", (flow) => {
    expect(said(`${functions}\nrun i(w: string) = f(w) writes a`, flow)).toEqual([]);
  });
});

describe("a `max` that is never used up", () => {
  test.each([
    "start -> x max 1",
    "start -> x -> y max 3 -> z",
    'start -> x -> { topic == "" -> y max 1, else -> z }',
    "start -> [x, y]\nx | y -> z max 2",
  ])("%s", (flow) => {
    expect(said(functions, flow)).toEqual(["M3222"]);
  });

  test.each([
    ["an arrow that goes back", 'start -> x -> { topic == "" -> x max 2, else -> y }'],
    [
      "an arrow of a cycle that goes on",
      'start -> x -> y max 2 -> { topic == "" -> x, else -> z }',
    ],
    [
      "what lies behind a cycle",
      'start -> x -> { topic == "" -> x max 2, else -> y }\nx -> z max 1 when a.length > 2',
    ],
    ["two that arrive and one that may pass", "start -> [x, y]\nx | y -> z max 1"],
    ["items, each of which counts", "start -> each w of a { i(w) -> j(w) max 1 }"],
    ["what a function may send", "start -> p -> x | y max 1"],
    ["a count with a name", "start -> x max n"],
  ])("not for %s", (_what, flow) => {
    const items = "run i(w: string) = f(w) writes a\nrun j(w: string) = f(w) writes a";
    const text = graph(`${list}\n${functions}\n${items}\n${flow}`, "topic: string, n: int = 1");
    expect(codesOf(text, { allowUnreadPrograms: true })).not.toContain("M3222");
  });
});

describe("a conversation in a field", () => {
  const talk = (nodes: string, returns = "") =>
    codesOf(
      `model m = "rules"\ngraph G(topic: string) returns b${returns} {\nstate { b: string = ""\n talk: string[] = [] via append }\n${nodes}\n}`,
      { allowUnreadPrograms: true },
    );
  const speaker = (name: string, more = "") =>
    `agent ${name} { model m; prompt \`\${topic} \${talk}\`; writes talk${more} }`;

  test("A07 [TY] that only those read who write it: it stores chat, and messages are for that", () => {
    expect(talk(`${speaker("pro")}\n${speaker("con")}\nstart -> pro -> con`)).toEqual(["M3224"]);
  });

  test.each([
    ["the graph returns it", `${speaker("pro")}\nstart -> pro`, ", talk"],
    [
      "a condition asks for it",
      `${speaker("pro")}\nstart -> pro -> { talk.length > 3 -> end, else -> pro max 9 }`,
    ],
    ["another node reads it", `${speaker("pro")}\nrun sum = f(talk) writes b\nstart -> pro -> sum`],
    [
      "a function writes it too",
      `${speaker("pro")}\nrun find = f() writes talk\nstart -> pro -> find`,
    ],
    [
      "one who writes does not read it",
      `${speaker("pro")}\nagent con { model m; prompt \`\${topic}\`; writes talk }\nstart -> pro -> con`,
    ],
    ["a part of what is said is written", `${speaker("pro", " = result.point")}\nstart -> pro`],
    [
      "its reader checks it",
      `${speaker("pro", '; ensure talk.length < 9 "enough"')}\nstart -> pro`,
    ],
  ])("not where %s", (_what, nodes, returns = "") => {
    expect(talk(nodes, returns)).not.toContain("M3224");
  });
});
