import { expect, test } from "vitest";
import { check } from "../../../dsl/index.ts";
import { runTest } from "../../../runtime/index.ts";
import { MODEL, outcome, told } from "./testing.ts";

const chain = `graph G(topic: string) returns b {
  state { a: string  b: string  tries: int = 0 }
  agent one { model m; prompt \`\${topic}\`; writes a; retry 1; set tries = tries + 1 }
  run two = shout(a) writes b
  start -> one -> two -> end
}`;
const shout = (text: string) => text.toUpperCase();
const given = 'given topic = "x"\n';

test("agents say what is scripted, functions are called", async () => {
  expect(await told(chain, `${given}one says "hey"\nexpect b == "HEY"`, { shout })).toBe(
    "ok one two end",
  );
});

test("a function may be scripted as well", async () => {
  const result = await told(chain, `${given}one says "hey"\ntwo says "no"\nexpect b == "no"`);
  expect(result).toBe("ok one two end");
});

test("a function that is not there and not scripted fails the run", async () => {
  expect(await told(chain, `${given}one says "hey"\nexpect path one`)).toMatchInlineSnapshot(
    `"M5705 the run failed: M8303 no function is called \`shout\`"`,
  );
});

test("a node without a script fails the test where it is reached, and what follows is not looked at", async () => {
  const { faults, path } = await outcome(chain, `${given}expect b == "HEY"`, { shout });
  expect(path).toEqual([]);
  expect(faults).toMatchObject([
    { code: "M5703", message: "the run came to `one`, which has no script" },
  ]);
});

test("no policy of the graph swallows a missing script", async () => {
  const graph = `graph G() returns a {
  state { a: string = "" }
  agent one { model m; prompt \`?\`; writes a; retry 3 }
  agent two { model m; prompt \`?\`; writes a }
  start -> one -> end
  one -> two on error
}`;
  expect(await told(graph, 'two says "x"\nexpect a == "x"')).toContain(
    "M5703 the run came to `one`",
  );
});

test("an attempt that fails takes the next line: the retry is what the script goes on with", async () => {
  const lines = `${given}one fails "busy", says "hey"\nexpect tries == 1 && a == "hey"`;
  expect(await told(chain, lines, { shout })).toBe("ok one two end");
});

test("an error that the test does not speak of fails it", async () => {
  expect(
    await told(chain, `${given}one fails "busy"\nexpect path one`, { shout }),
  ).toMatchInlineSnapshot(`
    "M5702 the run took another path
    expected  one
    actual    ·
              ^^^
    M5705 the run failed: M8110 busy"
  `);
  const spoken = `${given}one fails { class: "tool", message: "busy" }\nexpect status == "failed" && error.class == "tool"`;
  expect(await told(chain, spoken, { shout })).toBe("ok ");
});

test("a failure of a class that the node does not retry is final at once", async () => {
  const lines = `${given}one fails { class: "denied", message: "no" }, says "hey"\nexpect error.message == "no"`;
  expect(await told(chain, lines, { shout })).toBe("ok ");
});

test("a person who fails says no, which is no fault of a model", async () => {
  const graph = `graph G() returns ok {
  state { ok: boolean = false }
  human signoff { ask \`Ship it?\`; writes ok }
  agent soften { model m; prompt \`?\`; writes ok }
  start -> signoff -> end
}`;
  expect(await told(graph, 'signoff fails "not today"\nexpect ok')).toContain(
    "M5705 the run failed: M5313 not today",
  );
  const spoken = 'signoff fails "not today"\nexpect error.class == "denied" && status == "failed"';
  expect(await told(graph, spoken)).toBe("ok ");
  const onward = graph.replace("end\n", "end\n  signoff -> soften on deny\n");
  const script = 'signoff fails "not today"\nsoften says true\nexpect path soften -> end';
  expect(await told(onward, script)).toBe("ok soften end");
});

test("what is denied has the code of a denial, whoever asked", async () => {
  const script = `${given}one fails { class: "denied", message: "no" }\nexpect b == ""`;
  expect(await told(chain, script, { shout })).toContain("M5705 the run failed: M5313 no");
});

test("a value of an expectation is told with what stands in it", async () => {
  const lines = `${given}one says "hey"\nexpect b == "HI" && a.length > 3`;
  expect(await told(chain, lines, { shout })).toMatchInlineSnapshot(`
    "M5701 \`b == "HI" && a.length > 3\` does not hold
    b is "HEY"
    a.length is 3"
  `);
});

test.each([
  ['xs.length == 1 && xs[0].a == "b"', "xs.length is 0"],
  ['toolCalls.length == 1 && toolCalls[0].tool == "x"', "toolCalls.length is 0"],
])("what %s passes over is not asked for its value", async (condition, detail) => {
  const graph = `graph G() returns xs {
  state { xs: { a: string }[] = [] }
  run f = g() writes xs
  start -> f -> end
}`;
  expect(await told(graph, `f says []\nexpect ${condition}`)).toBe(
    `M5701 \`${condition}\` does not hold\n${detail}`,
  );
});

test("an error of our own is a fault of its test: the caller can run the next one", async () => {
  const { test: sound } = await outcome(chain, `${given}one says "hey"\nexpect path one`);
  const broken = { ...sound, expects: [{ kind: "path", span: sound.span } as never] };
  const { ok, faults } = await runTest(broken, { scope: { shout } });
  expect([ok, faults]).toMatchObject([false, [{ code: "M9000", span: sound.span }]]);
});

test("all expectations that do not hold are told", async () => {
  const { faults } = await outcome(
    chain,
    `${given}one says "hey"\nexpect b == ""\nexpect path two -> end`,
    { shout },
  );
  expect(faults.map(({ code }) => code)).toEqual(["M5701", "M5702"]);
});

test("fields can be given too, and the run's own words are there", async () => {
  const lines = `given topic = "x", tries = 4\none says "hey"
expect tries == 5 && steps == 2 && cost == $0 && status == "succeeded" && error == null
expect run.steps == 2 && run.path == ["one", "two", "end"] && visits(one) == 1 && topic == "x"`;
  expect(await told(chain, lines, { shout })).toBe("ok one two end");
});

test("a field goes before a word of the run", async () => {
  const graph = `graph G() returns status {
  state { status: string = "" }
  agent one { model m; prompt \`?\`; writes status }
  start -> one
}`;
  expect(
    await told(graph, 'one says "sold"\nexpect status == "sold" && run.status == "succeeded"'),
  ).toBe("ok one end");
});

test("`end` in a path asks whether the run got there", async () => {
  const graph = `graph G() returns a {
  state { a: int = 0 via sum }
  agent one { model m; prompt \`?\`; writes a }
  start -> one -> { a < 9 -> one max 1 }
}`;
  expect(await told(graph, "one says 1\nexpect path one -> one")).toBe("ok one one");
  expect(await told(graph, "one says 1\nexpect path one -> one -> end")).toMatchInlineSnapshot(`
    "M5702 the run took another path
    expected  one -> one -> end
    actual    one -> one -> ·
                            ^^^"
  `);
});

test("nobody is asked: people say what is scripted, approvals approve, `else ask` goes on", async () => {
  const graph = `graph G() returns ok {
  state { a: string  ok: boolean }
  agent one { model m; prompt \`?\`; writes a; approve before; limit 1 turns else ask; ensure "polite" by m }
  human two { ask \`\${a}?\`; writes ok }
  approve after one \`Go on?\`
  break before two
  start -> one -> two -> end
  limit 1 steps else ask
}`;
  expect(await told(graph, 'one says "a"\ntwo says true\nexpect ok')).toBe("ok one two end");
});

test("no time passes while something waits", async () => {
  const graph = `graph G() returns a {
  state { a: int = 0 via sum }
  agent one { model m; prompt \`?\`; writes a; retry 2 backoff 1h }
  agent two { model m; prompt \`?\`; writes a; every 1d until a >= 4 max 9 }
  start -> one after 5m -> two
}`;
  const lines =
    'one fails "busy", says 1\ntwo says 1\nexpect a == 4 && visits(two) == 3\nexpect run.time == 0';
  expect(await told(graph, lines)).toBe("ok one two two two end");
});

test("what runs side by side stands in the order of the graph", async () => {
  const graph = `graph G() returns notes {
  state { notes: string[] = [] via append }
  agent a { model m; prompt \`?\`; writes notes }
  agent b { model m; prompt \`?\`; writes notes }
  agent c { model m; prompt \`?\`; writes notes }
  agent d(n: string) { model m; prompt \`\${n}\`; writes notes }
  start -> [a, b]
  a -> c
  [b, c] -> each n of notes parallel 2 { d(n) }
}`;
  const lines =
    'a says "1"\nb says "2"\nc says "3"\nd says "4", "5", "6"\nexpect notes == ["1", "3", "2", "4", "5", "6"]';
  expect(await told(graph, lines)).toBe("ok a b c d d d end");
});

test("a test that goes round for ever is stopped", async () => {
  const graph = `graph G(n: int) returns a {
  state { a: int = 0 }
  agent one { model m; prompt \`?\`; writes a }
  start -> one -> { a < 1 -> one max n, else -> end }
}`;
  expect(await told(graph, "given n = 5000\none says 0\nexpect a == 1")).toBe(
    "M5706 the run does not end: it took 1000 steps",
  );
});

test("a script that does not fit is told at its place", async () => {
  const graph = `type Found = { url: string }
graph G(n: int) returns a {
  state { a: Found[] = [] via append }
  agent one { model m; prompt \`?\`; writes a }
  start -> one
}`;
  const { faults, test: of } = await outcome(
    graph,
    "given n = 1\none says [{ url: run.steps }]\nexpect a == []",
  );
  const [fault] = faults;
  expect(fault).toMatchObject({ code: "M5704" });
  expect(of.source.text.slice(...(fault?.span ?? [0, 0]))).toBe("[{ url: run.steps }]");
});

test("tools and reducers in nodes are called as functions are", async () => {
  const graph = `graph G() returns a {
  state { a: string  n: int }
  tool one = web.get("x") writes a
  reduce two = length(a) writes n
  start -> one -> two
}`;
  const scope = {
    web: { get: (url: string) => `<${url}>` },
    length: (text: string) => text.length,
  };
  expect(await told(graph, 'expect a == "<x>" && n == 3', scope)).toBe("ok one two end");
});

test("a sub-graph says what is scripted", async () => {
  const graph = `graph Other() returns b {
  state { b: string }
  agent w { model m; prompt \`?\`; writes b }
  start -> w
}
graph G() returns a {
  state { a: string }
  graph one = Other() writes a
  start -> one
}`;
  expect(await told(graph, 'one says "x"\nexpect a == "x"')).toBe("ok one end");
  expect(await told(graph, 'expect a == "x"')).toContain("M5703 the run came to `one`");
});

test("a function in an expression says one value, is called without a script, and is told where there is none", async () => {
  const graph = `import { load } from "./load.ts"
graph G() returns a {
  state { a: string[] = [] via append }
  agent one(n: string) { model m; prompt \`\${n}\`; writes a }
  start -> each n of load() { one(n) }
}`;
  expect(await told(graph, 'load says ["x", "y"]\none says "1"\nexpect a == ["1", "1"]')).toBe(
    "ok one one end",
  );
  const none = 'one says "1"\nexpect a == []';
  expect(await told(graph, none)).toContain("M5703 the run came to a call of `load`");
  const load = () => Promise.resolve(["x", "y"]);
  expect(await told(graph, 'one says "1"\nexpect a == ["1", "1"]', { load })).toBe(
    "ok one one end",
  );
});

test("functions of groups, in conditions, prompts and arguments, are called as in runs", async () => {
  const graph = `import { say, tools } from "./tools.ts"
graph G() returns a {
  state { a: string[] = [] via append }
  run one = say(tools.mark("1")) writes a
  agent two { model m; prompt \`\${tools.mark("2")}\`; writes a; ensure tools.ready(a) "not ready" }
  start -> one
  one -> two when tools.ready(a)
}`;
  const tools = {
    mark: (text: string) => `<${text}>`,
    ready: (a: readonly string[]) => a.length > 0,
  };
  const scope = { tools, say: (text: string) => text };
  expect(await told(graph, 'two says "2"\nexpect a == ["<1>", "2"]', scope)).toBe("ok one two end");
});

test("what is given is looked at once more when its value is known", async () => {
  const graph = `config { wide: "yes" }
graph G(n: int) returns a {
  state { a: int = 0 }
  agent one { model m; prompt \`\${n} \${wide}\`; writes a }
  start -> one
}`;
  expect(await told(graph, "given n = wide\none says 1\nexpect a == 1")).toBe(
    'M5001 the parameter `n` does not fit: expected an integer, found the string "yes"',
  );
  expect(await told(graph, "given n = 1\none says error.code.length\nexpect a == 1")).toContain(
    "M5704 what `one` says can't be evaluated",
  );
});

test("a test that is called off rejects with the reason", async () => {
  const text = `${MODEL}import { wait } from "./wait.ts"
graph G() returns a {
  state { a: string = "" }
  run one = wait() writes a
  start -> one
}
test "t" of G { expect a == "" }`;
  const off = new AbortController();
  const wait = () => {
    off.abort(new Error("enough"));
    return new Promise(() => {});
  };
  const [opened] = check({ file: "t", text }).tests;
  if (opened === undefined) throw new Error("no test can run");
  await expect(runTest(opened, { scope: { wait }, signal: off.signal })).rejects.toThrow("enough");
});

test("a function that never comes back fails the test, and says which node waits for it", async () => {
  const text = `${MODEL}${chain}\ntest "t" of G { ${given} one says "hey"  expect b == "HEY" }`;
  const [declared] = check({ file: "t.madrigal", text }).tests;
  if (declared === undefined) throw new Error("no test");
  const scope = { shout: () => new Promise(() => {}) };
  const { ok, path, faults } = await runTest(declared, { scope, timeoutMs: 20 });
  expect([ok, path]).toEqual([false, ["one"]]);
  expect(faults).toMatchObject([
    { code: "M5707", message: "the test took longer than 0.02 s; `two` had not come back" },
  ]);
});
