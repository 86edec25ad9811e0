/** `%%time`, `%timeit` and the footer of a cell. No duration is asserted. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { openTestNotebook, useTypes } from "./notebook.ts";

useTypes();

const withoutTimes = (text: string) => text.replaceAll(/\d[\d.]* (?:ns|µs|ms|s)\b/g, "TIME");

test("`%%time` shows what a cell of any kind took, behind what it shows", async () => {
  const { run, reply } = openTestNotebook();
  expect(withoutTimes(await run("%%time\nconst x = 21;\nx * 2"))).toBe("result 42\ndisplay TIME");
  expect(withoutTimes(await run("%%time\n%%sql\nSELECT 1 AS one"))).toMatch(
    /one[\s\S]*display TIME$/,
  );
  expect(await run("x + 1")).toBe("result 22");
  expect(await run("%%time\nconst wrong: number = 'a'")).toMatch(/TS2322[\s\S]*Cell\[4\]:2:7/);
  expect((await reply("1 + 1")).spent).toMatch(/ ms$|ns$|µs$| s$/);
});

test("what a cell took has the tokens of the runs that it started, and not of those that it looks at", async () => {
  const { run } = openTestNotebook();
  await run(`model fast = "scripted"
graph Say() returns answer {
  state { answer: string }
  agent say { model fast; prompt \`Say hello.\`; writes answer }
  start -> say -> end
}`);
  const code = `import { scripted } from "madrigal";
const run = Say.run({}, { models: { fast: scripted(["hello"]) } });
await run.output;`;
  expect(withoutTimes(await run(`%%time\n${code}`))).toMatch(/display TIME · \d+ tokens$/);
  expect(withoutTimes(await run("%%time\nawait run.output;"))).toMatch(/display TIME$/);
});

test("`%timeit` evaluates an expression many times, awaits promises, and says where it is wrong", async () => {
  const { run } = openTestNotebook();
  await run("let count = 0; const next = () => { count += 1; return count; };");
  expect(withoutTimes(await run("%timeit next()"))).toMatch(
    /^result TIME ± TIME each \(5 × [\d,]+ times?\)$/,
  );
  expect(await run("count >= 5")).toBe("result true");
  expect(withoutTimes(await run("%timeit await Promise.resolve(1)"))).toMatch(/^result TIME/);
  expect(withoutTimes(await run("%timeit Promise.resolve('--a')"))).toMatch(/^result TIME/);
  expect(withoutTimes(await run("%timeit 1 + 1 // once"))).toMatch(/^result TIME/);
  expect(await run("%timeit nxt()")).toMatch(/TS2552[\s\S]*:1:9/);
  expect(await run("%timeit")).toContain("`%timeit` needs an expression");
});

test("the stop button ends `%timeit` of promises that are resolved at once", async () => {
  const { run, saw, cancel } = openTestNotebook();
  await run(
    "let ticks = 0; const tick = async () => { ticks += 1; if (ticks === 1000) console.log('ticks'); };",
  );
  const timing = run("%timeit tick()");
  await saw("ticks");
  // As the message of the stop button comes.
  await nextTurn();
  cancel();
  expect(await timing).toContain("M7501");
});

test.each([
  ["%%time const a = 1", "`%%time` has no place for `const a = 1`", "Cell[1]:1:8"],
  ["\n  %%time %%sql\nSELECT 1", "`%%time` has no place for `%%sql`", "Cell[1]:2:10"],
])("%j says where the code belongs", async (code, message, place) => {
  const { run } = openTestNotebook();
  const shown = await run(code);
  for (const text of [message, place, "the code begins on the line below `%%time`"])
    expect(shown).toContain(text);
});
