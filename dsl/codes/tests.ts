/** Explanations of the error codes M36xx and M72xx: tests in programs. */
import type { CodePage } from "./page.ts";

const head =
  'model m = "openai/gpt-4o"\ngraph G(topic: string) returns a {\n  state { a: string }\n  agent write { model m; prompt `Write about ${topic}.`; writes a }\n  start -> write -> end\n}\n';
const routed =
  'model m = "openai/gpt-4o"\ngraph G() returns a {\n  state { a: string = "" }\n  router boss { model m; reads a }\n  agent write "writes" { model m; prompt `Write.`; writes a }\n  start -> boss -> write | end\n}\n';

/** A test around these lines. */
function test(lines: string, graph = head): string {
  return `${graph}test "t" of G {\n${lines.replaceAll(/^/gm, "  ")}\n}\n`;
}

export const tests = {
  M3601: {
    title: "a test that says a thing twice",
    why: "A test gives each value once and scripts each node once: several answers of one node stand behind one `says`, with commas.",
    bad: test('given topic = "x", topic = "y"\nwrite says "b"\nexpect a == "b"'),
    good: test('given topic = "x", a = "y"\nwrite says "b"\nexpect a == "b"'),
  },
  M3602: {
    title: "a test that does not give what the graph needs",
    why: "A run starts with a value for every parameter that has no default; so does that of a test: `given topic = …`.",
    bad: test('given a = "x"\nwrite says "b"\nexpect a == "b"'),
    good: test('given topic = "x"\nwrite says "b"\nexpect a == "b"'),
  },
  M3603: {
    title: "a value of another type in a test",
    why: "What is given fits its parameter or field, and what a node says fits what it writes: the field's own type, or an object where it writes several.",
    bad: test('given topic = "x"\nwrite says 3\nexpect a == "b"'),
    good: test('given topic = "x"\nwrite says "3"\nexpect a == "b"'),
  },
  M3604: {
    title: "`visits` or `round` of something that is no node",
    why: "`visits(n)` is how often the node `n` ran to its end, `round(n)` which round of its loop it is in. Both are told the name of a node of the graph, and no value.",
    bad: test('given topic = "x"\nwrite says "b"\nexpect visits("write") == 1'),
    good: test('given topic = "x"\nwrite says "b"\nexpect visits(write) == 1'),
  },
  M3605: {
    title: "an expectation that says nothing about the run",
    why: "It names nothing of the run, so it comes out the same whatever the graph does.",
    bad: test('given topic = "x"\nwrite says "b"\nexpect "b" == "b"'),
    good: test('given topic = "x"\nwrite says "b"\nexpect a == "b"'),
  },
  M3606: {
    title: "a test that expects nothing",
    why: "It passes whatever the run comes to, as long as it ends without an error. Say what must be so: `expect path …`, `expect a == …`.",
    near: { none: "What is expected takes two tokens at least." },
    bad: test('given topic = "x"\nwrite says "b"'),
    good: test('given topic = "x"\nwrite says "b"\nexpect a == "b"'),
  },
  M3607: {
    title: "a path that can't be",
    why: "Nothing comes before `start`, and nothing behind `end`.",
    bad: test('given topic = "x"\nwrite says "b"\nexpect path write -> start'),
    good: test('given topic = "x"\nwrite says "b"\nexpect path write -> end'),
  },
  M3608: {
    title: "a choice that does not exist",
    why: "A node that chooses where to go on says the name of a node behind its arrow, or `end`. One that writes something as well says `{ goto: NAME, update: … }`.",
    bad: test('boss says "ende"\nexpect path boss -> end', routed),
    good: test('boss says "end"\nexpect path boss -> end', routed),
  },
  M3609: {
    title: "a script for something that has none",
    why: "A node says something when it runs; `start` and `end` do not run. What a node fails with is a text, or `{ message, class }` with one of the classes of errors; a no has a text as its reason. Only models call tools, as `{ tool, input, result }`. `go/say` needs a `go` that calls a graph whose text is known, or carries out a plan.",
    bad: test('given topic = "x"\nstart says "b"\nexpect a == "b"'),
    good: test('given topic = "x"\nwrite says "b"\nexpect a == "b"'),
  },
  M3760: {
    title: "nothing to generate, or what is given as well",
    why: "`for any a, b` generates the values of parameters and fields that no `given` line gives; `for any input` those of all parameters that are left.",
    bad: test('given topic = "x"\nfor any topic\nwrite says "b"\nexpect a == "b"'),
    good: test('given a = "x"\nfor any topic\nwrite says "b"\nexpect a == "b"'),
  },
  M3761: {
    title: "a type of which no values can be generated",
    why: "Values are generated from the types of the language. What stands only in TypeScript, and files, has no values here: give one.",
    bad: test(
      'given topic = "x"\nfor any x\nwrite says "b"\nexpect a == "b"',
      head
        .replace("topic: string", "topic: string, x: Artifact")
        .replace("${topic}", "${topic} ${x}"),
    ),
    good: test(
      'given topic = "x"\nfor any x\nwrite says "b"\nexpect a == "b"',
      head
        .replace("topic: string", "topic: string, x: string")
        .replace("${topic}", "${topic} ${x}"),
    ),
  },
  M5701: {
    title: "an expectation of a test does not hold",
    why: "The run of the test ended, and the expression behind `expect` was false for it. What stood in it is told with its values.",
  },
  M5702: {
    title: "a test's run took another path",
    why: "A path is the nodes in the order in which they ended; of nodes that run side by side, the one that stands first in the graph ends first. `end` stands last where the run came to its end.",
  },
  M5703: {
    title: "a node without a script",
    why: "No model is called in a test, nobody is asked, and no strong agent is started: every agent, operator, human, router and sub-graph that the test comes to needs a line `NODE says …`. Functions are called unless they are scripted.",
  },
  M5704: {
    title: "a scripted value does not fit",
    why: "What a node says in a test must be what the node could say in a run: of the type of what it writes. A node that must choose where to go on says one of the names behind its arrow.",
  },
  M5705: {
    title: "a test's run failed",
    why: 'It ended with an error that the test does not speak of. If that is what should happen, expect it: `expect status == "failed"`, or something of `error`. A limit that was reached is an ending like any other: expect the path, or `visits`.',
  },
  M5706: {
    title: "a test that does not end",
    why: "Its run took more steps (commits, and failures that an arrow led on from) than a test may: 1,000, if the graph has no own `limit … steps`. The last value of a script is said again and again: say something else in the end, or bound the loop.",
  },
  M5707: {
    title: "a test that takes too long",
    why: "The run's own time costs nothing in a test, but a function that is really called takes the time that it takes, and one that never comes back would hold up all other tests. After a minute the test has failed. Script the node, or mend its function.",
  },
  M5708: {
    title: "a script for a step that the plan does not have",
    why: "The steps of a plan are known when the run comes to the node that carries it out, so `go/STEP says …` is looked at then. The names are the `id`s of the steps; the hint lists them.",
  },
  M8700: {
    title: "too few generated inputs meet the condition of a test",
    why: "`for any … when …` leaves out the inputs of which the condition is not true, and of 1,000 and more hardly one was. Give a part of the input, so that less is left to chance.",
  },
  M7210: {
    title: "no test in the files",
    why: "`madrigal test` runs the `test` declarations of programs, and the files that were named have none. Tests may stand beside a graph or in a file of their own that imports it.",
  },
  M7211: {
    title: "too few arrows taken by tests",
    why: "`madrigal test --coverage-min PERCENT` counted the arrows of all graphs, and the tests took fewer of them than that. The tables name the arrows that no test took: a branch needs values that choose it, a failure arrow a node that `fails`.",
  },
} as const satisfies Record<`M${number}`, CodePage>;
