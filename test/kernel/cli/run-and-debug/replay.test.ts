/** `madrigal replay`. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { madrigal } from "../../../support/warm/madrigal.ts";
import { document, greet, hello as helloFile, put, said, workspace } from "../calling.ts";

/** A workspace with one run that has ended. */
async function greeted(): Promise<string> {
  const hello = "export const hello = (name: string) => `hello ${name}, ${Math.random()}`;\n";
  const home = workspace({ "greet.madrigal": greet, "hello.ts": hello });
  const run = ["run", "greet.madrigal", "--input", '{"name": "Ada"}'];
  expect((await madrigal(run, { home })).code).toBe(0);
  return home;
}

test("contract: replay decides a run again from its log alone: neither its program nor its TypeScript is there any more", async () => {
  const home = await greeted();
  rmSync(join(home, "greet.madrigal"));
  rmSync(join(home, "hello.ts"));
  expect(await said(home, ["replay", "last"])).toBe(
    "exit 0\nrun RUN replays: 8 records, 2 steps, succeeded with the same state",
  );
  const { stdout } = await madrigal(["show", "last", "--json"], { home });
  const { exit, json } = await document(home, ["replay", "last"]);
  const { state } = JSON.parse(stdout) as { state: unknown };
  expect({ exit, json }).toMatchObject({
    exit: 0,
    json: { version: 1, run_id: "RUN", ok: true, steps: 2, divergence: null, state },
  });
});

test("contract: with another program it exits 1 and says where that leads elsewhere first", async () => {
  const home = await greeted();
  put(
    home,
    "other.madrigal",
    greet.replace("-> wish -> end", '-> { name == "Ada" -> end, else -> wish }'),
  );
  expect(await said(home, ["replay", "last", "--with", "other.madrigal"])).toMatchInlineSnapshot(`
    "exit 1
    ! error[M5401]: the replay leaves the log at record 2 (behind step 0, \`greet\` at 0): \`flow.0.op\` was "activate" and is "end" now
    !   cause: the graph has changed (2999c629 → 5e73767b): edges
    !   hint: replayed with the program it was recorded with, the run shows what it did then"
  `);
  expect(await document(home, ["replay", "last", "--with", "other.madrigal"])).toMatchObject({
    exit: 1,
    json: { ok: false, divergence: { code: "M5401", node: "greet", attempt: 1, step: 0 } },
  });
});

test("what is private is hidden in the state and where another program makes another value of it", async () => {
  const secret = (value: string) => `import { hello } from "./hello.ts"
graph Greet(name: Private<string>) returns wish {
  state {
    greeting: Private<string> = ""
    wish: string = ""
  }
  run greet = hello(name) writes wish { set greeting = ${value} }
  start -> greet -> end
}
`;
  const home = workspace({ "greet.madrigal": secret('name + "!"'), "hello.ts": helloFile });
  put(home, "other.madrigal", secret("name.toUpperCase()"));
  const run = ["run", "greet.madrigal", "--input", '{"name": "Ada Lovelace"}'];
  expect((await madrigal(run, { home })).code).toBe(0);
  const other = ["--with", "other.madrigal"];
  for (const words of [["--json"], other, [...other, "--json"]]) {
    const shown = await said(home, ["replay", "last", ...words]);
    expect(shown).toContain("private");
    expect(shown).not.toMatch(/lovelace/i);
  }
});

test("a run that is not there, and a file without its graph, are told", async () => {
  const home = await greeted();
  put(home, "other.madrigal", greet.replace("graph Greet", "graph Welcome"));
  expect(await said(home, ["replay", "0000"])).toMatchInlineSnapshot(`
    "exit 2
    ! error[M5107]: no run is called \`0000\`
    !   hint: \`madrigal runs\` lists them; a run in memory is known to its own process alone"
  `);
  expect(await said(home, ["replay", "last", "--with", "other.madrigal"])).toMatchInlineSnapshot(`
    "exit 1
    ! error[M5003]: \`other.madrigal\` has no graph \`Greet\` that can run
    !   at other.madrigal
    !   hint: \`madrigal check other.madrigal\` says what is wrong with it"
  `);
});

test("a run that was resumed with a changed limit replays: its log has both programs", async () => {
  const counting = (steps: number) => `import { more } from "./more.ts"
graph Count(to: int = 5) returns count {
  state { count: int = 0 }
  run up = more(count) writes count
  limit ${steps} steps
  start -> up -> { count < to -> up max 99, else -> end }
}
`;
  const more = "export const more = (count: number) => count + 1;\n";
  const home = workspace({ "count.madrigal": counting(2), "more.ts": more });
  expect((await madrigal(["run", "count.madrigal"], { home })).code).toBe(1);
  put(home, "count.madrigal", counting(20));
  expect((await madrigal(["resume", "last"], { home })).code).toBe(0);
  expect(await said(home, ["replay", "last"])).toMatch(/^exit 0\nrun RUN replays: .* 5 steps/);
});
