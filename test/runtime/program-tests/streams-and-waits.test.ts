import { expect, test } from "vitest";
import { told } from "./testing.ts";

test("a stream of TypeScript is read item by item, as in a run", async () => {
  const graph = `import { prices } from "./prices.ts"
graph G() returns seen {
  state { seen: int[] = [] via append }
  run note(price: int) = noted(price) writes seen
  start -> each price of prices parallel 1 { note(price) } -> end
}`;
  const stream = async function* () {
    yield 3;
    yield 4;
  };
  const scope = { prices: stream(), noted: (price: number) => price * 2 };
  expect(await told(graph, "expect seen == [6, 8]\nexpect path note -> note -> end", scope)).toBe(
    "ok note note end",
  );
});

const read = `graph G() returns seen {
  state { seen: string[] = [] via append }
  run take(line: string) = take(line) writes seen
  run sorry = sorry() writes seen
  start -> each line of lines() parallel 1 { take(line) } -> sorry on error -> end
}`;

test("a function in an expression fails where its script says so", async () => {
  const lines =
    'lines fails { class: "tool", message: "no file" }\ntake says "x"\nsorry says "sorry"\nexpect ';
  expect(await told(read, `${lines}status == "failed" && error.class == "tool"`)).toBe("ok ");
});

test("a stream that breaks gives its pieces first", async () => {
  const lines = `lines says ["a", "b"], fails { class: "transport", message: "cut" }
take says "A", "B"
sorry says "sorry"
expect seen == ["sorry"]
expect path take -> take -> sorry -> end`;
  expect(await told(read, lines)).toBe("ok take take sorry end");
});

test("a wait before a decision takes its time, and is no node of the path", async () => {
  const graph = `graph G() returns a {
  state { a: int = 0 via sum }
  run one = f() writes a
  run two = f() writes a
  start -> one -> { a > 5 -> end, else -> two } after 1h -> end
}`;
  const lines = "one says 1\ntwo says 2\nexpect a == 3\nexpect path one -> two -> end";
  expect(await told(graph, lines)).toBe("ok one two end");
});
