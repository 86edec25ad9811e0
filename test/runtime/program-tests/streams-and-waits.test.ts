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

const watched = `graph G() returns seen, over {
  state {
    seen: int[] = [] via append
    over: boolean = false
  }
  run note(price: int) = noted(price) writes seen
  run stop = f() writes over
  limit 3h
  start -> each price of prices() parallel 1 { note(price) }
  start -> stop after 1h
  end when over
}`;

test("while a stream has nothing, time goes on for what starts later", async () => {
  let given = 0;
  const next = () => {
    given += 1;
    return given > 1 ? new Promise(() => undefined) : Promise.resolve({ value: 3, done: false });
  };
  const stream = { next, return: async () => ({ value: undefined, done: true }) };
  const prices = () => ({ [Symbol.asyncIterator]: () => stream });
  const lines = "note says [6]\nstop says true\nexpect over && visits(note) == 1";
  expect(await told(watched, lines, { prices })).toBe("ok note stop end");
});

test("a slow stream is waited for, and a limit of the run is no reason not to", async () => {
  const prices = async function* () {
    yield 3;
    for (let turn = 0; turn < 50; turn += 1) await new Promise((go) => setImmediate(go));
    yield 4;
  };
  const graph = watched
    .replace("  start -> stop after 1h\n", "")
    .replace("  run stop = f() writes over\n", "")
    .replace("  end when over\n", "");
  const lines = "note says [6]\nexpect visits(note) == 2 && !over";
  expect(await told(graph, lines, { prices })).toBe("ok note note end");
});

test("an arrow with several sources is one arrow: they share its `max`", async () => {
  const graph = (max: number) => `graph G() returns a {
  state { a: int = 0 via sum }
  run one = f() writes a
  run two = f() writes a
  run last = f() writes a
  start -> [one, two]
  one | two -> last max ${max}
}`;
  const lines = "one says 1\ntwo says 1\nlast says 1\nexpect visits(last) == ";
  expect(await told(graph(2), `${lines}2`)).toBe("ok one two last last end");
  expect(await told(graph(1), `${lines}0 && status == "failed"`)).toBe("ok one two");
});
