/** `madrigal resume` after the program's file was edited. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { madrigal } from "../../../support/warm/madrigal.ts";
import { document, put, workspace } from "../calling.ts";

const counting = (of: { limit: number; node?: string }) => `import { more } from "./more.ts"
graph Count(to: int = 5) returns count {
  state { count: int = 0 }
  run ${of.node ?? "up"} = more(count) writes count
  limit ${of.limit} steps
  start -> ${of.node ?? "up"} -> { count < to -> ${of.node ?? "up"} max 99, else -> end }
}
`;

/** A run that its limit stopped after two steps. */
async function stopped(): Promise<string> {
  const home = workspace({
    "count.madrigal": counting({ limit: 2 }),
    "more.ts": "export const more = (count: number) => count + 1;\n",
  });
  const { code, stderr } = await madrigal(["run", "count.madrigal"], { home });
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining("M5010") });
  return home;
}

test("a limit raised in the file holds for the run that goes on, and no step is done twice", async () => {
  const home = await stopped();
  put(home, "count.madrigal", counting({ limit: 20 }));
  const { code, stdout } = await madrigal(["resume", "last", "--json"], { home });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ status: "succeeded", output: { count: 5 }, steps: 5 });
});

test("another shape is M5302, and the run stays as it was", async () => {
  const home = await stopped();
  put(home, "count.madrigal", counting({ limit: 20, node: "add" }));
  const { code, stderr } = await madrigal(["resume", "last"], { home });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error\[M5302\]: run `.*` can't go on with `Count` as it is now$/m);
  expect(stderr).toContain(
    "hint: what keeps it from that: `up` is under way and is gone: `--drop up` gives up",
  );
  put(home, "count.madrigal", counting({ limit: 20 }));
  expect((await madrigal(["resume", "last"], { home })).code).toBe(0);
});

test("a file with errors is told, and the run goes on with the program it began with", async () => {
  const home = await stopped();
  put(home, "count.madrigal", counting({ limit: 20 }).replace("writes count", "writes cuont"));
  const { code, stderr } = await madrigal(["resume", "last"], { home });
  expect(stderr).toMatch(/error\[M3101\]: no field is called `cuont`/);
  expect(stderr).toMatch(/warning\[M5002\]: `Count` can't be taken from \S*count\.madrigal/);
  // That program still has its limit, which no resuming stretches.
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining("M5010") });
  const { stdout } = await madrigal(["show", "last", "--json"], { home });
  expect(JSON.parse(stdout).steps).toBe(2);
});

test("under another name it goes on when somebody says so; new nodes and arrows come with it", async () => {
  const home = await stopped();
  const renamed = counting({ limit: 20, node: "add" })
    .replace("else -> end }", "else -> check -> end }")
    .replace("  limit", "  run check = more(count) writes count\n  limit");
  put(home, "count.madrigal", renamed);
  expect((await madrigal(["resume", "last", "--map", "up"], { home })).code).toBe(2);
  const mapped = ["resume", "last", "--map", "up=add", "--json"];
  const { code, stdout, stderr } = await madrigal(mapped, { home });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(JSON.parse(stdout)).toMatchObject({ status: "succeeded", output: { count: 6 }, steps: 6 });
  const shown = await madrigal(["show", "last", "--json"], { home });
  const { commits } = JSON.parse(shown.stdout);
  expect(commits.map(({ node }: { node: string }) => node).join(" ")).toBe(
    "up up add add add check",
  );
  const { stdout: replayed } = await madrigal(["replay", "last", "--json"], { home });
  expect(JSON.parse(replayed)).toMatchObject({ ok: true });
});

test("a node that is gone is dropped when somebody says so, and the run goes on behind it", async () => {
  const home = await stopped();
  const without = counting({ limit: 20, node: "add" }).replace("count < to", "count < 0");
  put(home, "count.madrigal", without);
  const { code, stdout, stderr } = await madrigal(["resume", "last", "--drop", "up", "--json"], {
    home,
  });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(JSON.parse(stdout)).toMatchObject({ status: "succeeded", output: { count: 2 } });
  expect(stderr).toContain("M5315");
});

test("a question of a node that has another name by now is answered by that name", async () => {
  const asking = (node: string) => `graph Ask() returns ok {
  state { ok: boolean }
  human ${node} { ask \`Fine?\`; writes ok }
  start -> ${node} -> end
}
`;
  const home = workspace({ "ask.madrigal": asking("h") });
  expect((await madrigal(["run", "ask.madrigal"], { home })).code).toBe(3);
  put(home, "ask.madrigal", asking("hh"));
  expect((await madrigal(["resume", "last", "--map", "h=hh"], { home })).code).toBe(3);
  const { code, stdout } = await madrigal(["answer", "last", "hh", "yes", "--json"], { home });
  expect([code, JSON.parse(stdout).output]).toEqual([0, { ok: true }]);
});

test("an aborted run is gone on with, at the first thing that is missing", async () => {
  const home = workspace({
    "note.madrigal": `import { log } from "./log.ts"
graph Note() returns text {
  state { text: string = "" }
  run write = log("write") writes text
  human sign { ask \`Sign it?\` }
  start -> write -> sign -> end
}
`,
    "log.ts": `import { appendFileSync } from "node:fs";
export const log = (what: string) => (appendFileSync("did.txt", \`\${what} \`), what);
`,
  });
  expect((await madrigal(["run", "note.madrigal"], { home })).code).toBe(3);
  const aborted = await document(home, ["abort", "last", "--reason", "too late"]);
  expect(aborted).toMatchObject({ exit: 0, json: { status: "aborted", reason: "too late" } });
  // It asks again: nobody has answered.
  const resumed = await document(home, ["resume", "last"]);
  expect(resumed).toMatchObject({ exit: 3, json: { status: "waiting" } });
  expect((await madrigal(["abort", "last"], { home })).code).toBe(0);
  expect((await madrigal(["resume", "last"], { home })).code).toBe(3);
  const answered = await document(home, ["answer", "last", "sign", "yes"]);
  expect(answered).toMatchObject({
    exit: 0,
    json: { status: "succeeded", output: { text: "write" } },
  });
  expect(readFileSync(join(home, "did.txt"), "utf8")).toBe("write ");
});
