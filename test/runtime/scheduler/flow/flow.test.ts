import { expect, test } from "vitest";
import { ofKind, runText } from "../../../support/run-graph.ts";

/** A graph of agents that each append their own name. */
function named(flow: string, nodes: string, more = ""): string {
  const agents = nodes
    .split(" ")
    .map((name) => `agent ${name} { prompt \`\${log}\`; writes log }`)
    .join("\n  ");
  return `model m = "rules"
graph G(n: int = 3) returns log {
  state {
    log: string[] = [] via append
    word: string = "start"
    count: int = 0
  }
  defaults { model m }
  ${agents}
  ${more}
  ${flow}
}`;
}

function log(flow: string, nodes: string, script = {}, more = "") {
  const says = Object.fromEntries(nodes.split(" ").map((name) => [name, name]));
  return runText(named(flow, nodes, more), { says, ...script });
}

test("a chain runs in its order", () => {
  expect(log("start -> a -> b -> c -> end", "a b c").path).toBe("a b c");
});

test("a node without an edge ends its branch, and the run", () => {
  const { status, reason, state } = log("start -> a", "a");
  expect({ status, reason, state }).toMatchObject({ status: "succeeded", reason: "done" });
});

test("all of `[b, c]` start, and the join behind waits for both", () => {
  const ran = log("start -> a -> [b, c] -> d -> end", "a b c d");
  expect(ran.path).toMatch(/^a (b c|c b) d$/);
  expect(ran.state.log).toEqual(["a", "b", "c", "d"]);
});

test("several edges out of a node are a fork as well", () => {
  const ran = log("start -> a\n a -> b\n a -> c\n [b, c] -> d", "a b c d");
  expect(ran.state.log).toEqual(["a", "b", "c", "d"]);
});

test("a branch sees the fork's state and its own writes, not its sibling's", () => {
  const prompts: Record<string, string> = {};
  const says = Object.fromEntries(
    ["a", "b", "c", "d", "e"].map((name) => [
      name,
      ({ prompt }: { prompt: string }) => {
        prompts[name] = JSON.parse(prompt).join("");
        return name;
      },
    ]),
  );
  log("start -> a -> [b, d]\n b -> c\n [c, d] -> e", "a b c d e", { says });
  expect(prompts).toEqual({ a: "", b: "a", c: "ab", d: "a", e: "abcd" });
});

test("whoever arrives starts the node, once per arrival", () => {
  const ran = log("start -> [a, b]\n a | b -> c", "a b c");
  expect(ran.path.split(" ").filter((node) => node === "c")).toHaveLength(2);
  expect(ran.state.log).toEqual(["a", "c", "b", "c"]);
});

test("a choice takes the first branch that holds", () => {
  const flow = "start -> a -> { log.length > 5 -> b, log.length > 0 -> c, else -> d }";
  expect(log(flow, "a b c d").path).toBe("a c");
});

test("a match takes the case of the value", () => {
  const flow = 'start -> a -> match word { "other" -> b, "start" -> c, else -> d }';
  expect(log(flow, "a b c d").path).toBe("a c");
});

test("`when` guards one edge; the others are taken all the same", () => {
  const ran = log("start -> a\n a -> b when log.length > 3\n a -> c", "a b c");
  expect(ran.path).toBe("a c");
});

test("`set` on an edge is seen behind it", () => {
  const flow = "start -> a -> b set count = count + 2\n b -> { count == 2 -> c, else -> end }";
  const ran = log(flow, "a b c");
  expect(ran.path).toBe("a b c");
  expect(ran.state.count).toBe(2);
});

test("`max` bounds a loop, and the next branch is tried when it is used up", () => {
  const ran = log("start -> a -> { log.length < 99 -> a max 3, else -> b }", "a b");
  expect(ran.path).toBe("a a a a b");
});

test("`max` takes its number from a parameter", () => {
  const ran = log("start -> a -> { log.length < 99 -> a max n, else -> b }", "a b", {
    input: { n: 1 },
  });
  expect(ran.path).toBe("a a b");
});

test("nothing left but a used-up edge fails the run with limit:max", () => {
  const ran = log("start -> a\n a -> a max 2", "a");
  expect([ran.status, ran.reason, ran.path]).toEqual(["failed", "limit:max", "a a a"]);
  expect(ran.snapshot.failure?.message).toBe(
    "the arrow to `a` was used 2 times, its `max`, and nothing else leads on behind `a`",
  );
});

test("a used-up arrow behind an `each` is named, not the node in it", () => {
  const ran = log("start -> a -> each i of [1] { b } -> a max 1", "a b");
  expect(ran.snapshot.failure?.message).toBe(
    "the arrow to `a` was used once, its `max`, and nothing else leads on behind `each i`",
  );
});

test("a join goes on without a source that can't come any more, and says so", () => {
  const flow = "start -> a -> [b, c]\n b -> { log.length > 99 -> d, else -> end }\n [d, c] -> e";
  const ran = log(flow, "a b c d e");
  expect(ran.state.log).toEqual(["a", "b", "c", "e"]);
  const fired = ofKind(ran.records, "commit").flatMap(({ flow: ops }) =>
    ops.flatMap((op) => (op.op === "fire" ? [op.missing] : [])),
  );
  expect(fired).toEqual([["d"]]);
});

test("joins re-arm: a loop around a fork joins each round once", () => {
  const flow = "start -> a -> [b, c] -> d -> { log.length < 12 -> a max 9, else -> end }";
  const ran = log(flow, "a b c d");
  expect(ran.state.log).toEqual(["a", "b", "c", "d", "a", "b", "c", "d", "a", "b", "c", "d"]);
});

test("keys stay short in a loop around a fork", () => {
  const flow = "start -> a -> [b, c] -> d -> { log.length < 120 -> a max 99, else -> end }";
  const { started } = log(flow, "a b c d");
  expect(Math.max(...started.map((start) => start.split(".").length))).toBeLessThanOrEqual(3);
});

test("two joins of one fork do not stand in each other's place", () => {
  const flow = "start -> a -> [b, c, d, e]\n [b, c] -> x\n [d, e] -> y\n [x, y] -> z";
  const states = [1, 2, 3, 4, 5, 6].map((seed) => log(flow, "a b c d e x y z", { seed }));
  expect(new Set(states.map(({ state }) => JSON.stringify(state)))).toHaveLength(1);
  const keys = states.flatMap(({ started }) => started);
  expect(new Set(states[0]?.started)).toHaveLength(9 - 1);
  expect(new Set(keys)).toHaveLength(8);
});

test("two joins that wait for each other: the first declared goes on", () => {
  const flow =
    "start -> [a, b]\n [a, p] -> { log.length < 4 -> q, else -> end }\n [b, q] -> p\n limit 20 steps";
  const ran = log(flow, "a b p q");
  expect([ran.status, ran.state.log]).toEqual(["succeeded", ["a", "q", "b", "p"]]);
});
