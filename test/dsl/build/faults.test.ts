import { describe, expect, test } from "vitest";
import { graph as runnable } from "../../../kernel/index.ts";
import { RunError } from "../../../runtime/index.ts";
import { faults, graph } from "./built.ts";

/** One agent that writes a text. */
const one = graph("G")
  .model("m", "rules")
  .param("topic", "string")
  .returns("text")
  .state({ text: "string" })
  .agent("write", { model: "m", prompt: "Write about ${topic}.", writes: "text" });
const whole = one.edge("start", "write", "end");

test("a sound graph has nothing wrong with it", () => {
  expect(faults(whole)).toBe("");
});

describe("a fault is told by the call that says it", () => {
  test("in a prompt, at the place in that call's text", () => {
    const bad = whole.agent("more", { model: "m", prompt: "One.\nTwo ${topik}.", writes: "text" });
    expect(faults(bad.edge("write", "more"))).toMatchInlineSnapshot(
      `"M2103 graph("G").agent("more") 4:7 no field or parameter is called \`topik\`"`,
    );
  });

  test("in a type, a default, a reducer, an arrow, a limit", () => {
    expect(faults(whole.type("T", "{ a: strin }"))).toMatchInlineSnapshot(
      `"M2104 graph("G").type("T") 1:15 no type is called \`strin\`"`,
    );
    expect(faults(whole.param("n", "int", '"4"'))).toMatchInlineSnapshot(
      `"M3103 graph("G").param("n") 1:10 the default is \`"4"\`, but the type is \`int\`"`,
    );
    expect(
      faults(whole.state({ more: { type: "string[]", default: [], via: "apend" } })),
    ).toMatchInlineSnapshot(`"M3303 graph("G").state()#2 2:29 no reducer is called \`apend\`"`);
    expect(
      faults(whole.edge("write", { to: "write", when: "topic.lenght > 3" })),
    ).toMatchInlineSnapshot(`
      "M3205 graph("G").edge("write") 1:10 \`write -> write\` can go round for ever
      M2110 graph("G").edge("write") 1:27 \`string\` has no member \`lenght\`"
    `);
    expect(faults(whole.limit("3 sheep"))).toMatchInlineSnapshot(
      `"M4101 graph("G").limit() 1:9 \`sheep\` is no unit of a limit"`,
    );
  });

  test("two faults of one graph are two, each at its call", () => {
    const bad = one.limit("30 step").edge("start", "write", { to: "end", when: "topik" });
    expect(faults(bad)).toMatchInlineSnapshot(`
      "M4101 graph("G").limit() 1:10 \`step\` is no unit of a limit
      M2103 graph("G").edge("start") 1:28 no field or parameter is called \`topik\`"
    `);
  });

  test("where two calls contradict each other, both are named", () => {
    const bad = whole.agent("write", { model: "m", prompt: "Again: ${topic}.", writes: "text" });
    const [diagnostic] = bad.check();
    expect(diagnostic?.file).toBe('graph("G").agent("write")#2');
    expect(faults(bad)).toMatchInlineSnapshot(
      `"M2001 graph("G").agent("write")#2 1:7 there is already a node called \`write\`"`,
    );
  });

  test("the frame shows the text of the call", () => {
    const built = whole
      .agent("more", { model: "m", prompt: "Two ${topik}.", writes: "text" })
      .edge("write", "more")
      .build();
    expect(built.diagnostics.map(built.render).join("\n")).toMatchInlineSnapshot(`
      "error[M2103]: no field or parameter is called \`topik\`
        ┌─ graph("G").agent("more"):3:19
      3 │     prompt \`Two \${topik}.\`
        │                   ^^^^^
        hint: did you mean \`topic\`?"
    `);
  });
});

describe("one call says one thing", () => {
  test.each([
    ["a parameter with a second one behind it", one.param("n", "int, more: string")],
    ["a type that closes the graph", whole.type("T", "int\nmodel x = 1")],
    ["a clause with a second one behind it", whole.agent("x", { model: "m\n tools web.search" })],
    ["a name with a body", whole.agent("x { model m }\n agent y" as "x", { model: "m" })],
    ["a field that ends the state", whole.state({ a: "int = 0 }\n state thread { b: int = 1" })],
    [
      "an arrow with another behind it",
      whole.edge("write", { to: "end", when: "true\n start -> end" }),
    ],
    ["a hop that hides the rest in a comment", one.edge("start", "write //" as "write", "end")],
    ["a limit with an arrow behind it", whole.limit("3m\n start -> end")],
    ["a name that is none", whole.model("my model", "rules")],
    ["a name that is reserved", whole.state({ match: "string" })],
    ["an import with two names in one", whole.import("./a.ts", ["a, b"])],
  ])("%s is refused", (_what, builder) => {
    const [first, ...others] = builder.check({ allowUnreadPrograms: true });
    expect(first?.code).toMatch(/^M1/);
    expect(first?.file).toMatch(/^graph\("G"\)\./);
    expect(others).toEqual([]);
  });

  test("and the message names what was read", () => {
    expect(faults(one.param("n", "int, more: string"))).toMatchInlineSnapshot(
      `"M1101 graph("G").param("n") 1:1 the text of this call is read as \`param n; param more\`, not as \`param n\`"`,
    );
  });
});

describe("the types know the nodes", () => {
  test("an arrow to a node that isn't there yet is an error in the editor, and one when it is built", () => {
    // @ts-expect-error: `wirte` is no node.
    const bad = whole.edge("write", "wirte");
    expect(faults(bad)).toMatchInlineSnapshot(
      `"M2101 graph("G").edge("write") 1:10 no node is called \`wirte\`"`,
    );
    // @ts-expect-error: `writes` takes the place of a clause that has another name.
    expect(() => one.agent("b", { write: "text" }).text()).not.toThrow();
  });

  test("names from data are strings", () => {
    let builder = graph<string>("H").model("m", "rules").param("topic", "string");
    for (const name of ["a", "b"])
      builder = builder.agent(name, { model: "m", prompt: "${topic}" });
    expect(faults(builder.edge("start", ["a", "b"], "end"))).toBe("");
  });
});

test("every call leaves the builder before it as it was", () => {
  const before = whole.text();
  whole.limit("3m").agent("other", { prompt: "x" });
  expect(whole.text()).toBe(before);
});

test("build throws M5002 with the frame of the first error", () => {
  const bad = runnable("G").model("m", "rules").agent("a", { model: "n", prompt: "Hello" });
  try {
    bad.edge("start", "a").build();
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(RunError);
    expect(error).toMatchInlineSnapshot(
      `[RunError: M2105 graph("G").agent("a"):2:11 no model is called \`n\`]`,
    );
    expect(error instanceof RunError ? error.hint : "").toMatchInlineSnapshot(`
      "error[M2105]: no model is called \`n\`
        ┌─ graph("G").agent("a"):2:11
      2 │     model n
        │           ^
        hint: declare it: \`model n = "provider/model"\`"
    `);
  }
});
