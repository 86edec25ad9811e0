/** `madrigal rerun`: a stored run again with its file as it is now. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { madrigal } from "../../../support/warm/madrigal.ts";
import { document, put, workspace } from "../calling.ts";

const GRAPH = `import { first, second } from "./steps.ts"
graph Sum(base: int) returns total {
  state {
    one: int = 0
    total: int = 0
  }
  run a = first(base) writes one
  run b = second(one) writes total
  start -> a -> b -> end
}
`;

const steps = (factor: number) => `export const first = (base: number) => base + 1;
export const second = (one: number) => one * ${factor};
`;

test("the plan of a re-run is told before it starts; what is unchanged is served by another process", async () => {
  const home = workspace({ "sum.madrigal": GRAPH, "steps.ts": steps(2) });
  expect((await madrigal(["run", "sum.madrigal", "--input", '{"base": 1}'], { home })).code).toBe(
    0,
  );
  put(home, "steps.ts", steps(3));
  expect(await document(home, ["rerun", "last", "--dry"])).toMatchObject({
    exit: 0,
    json: {
      performs: [{ label: "b#1", why: ["function `second`: code changed"] }],
      saves: { sure: { node_runs: 1 }, maybe: { node_runs: 0 } },
    },
  });
  const { code, stderr, stdout } = await madrigal(["rerun", "last", "--json"], { home });
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { output: { total: 6 } }]);
  expect(stderr).toContain("performed: 1 node run");
  expect((await madrigal(["show", "last"], { home })).stdout).toMatch(/^again from: [0-9a-f]{8}$/m);
});

test("a run that used up a `max` says to run it again, which goes on from what was done", async () => {
  const program = (max: number) => `import { one } from "./one.ts"
graph Count(to: int) returns n {
  state { n: int = 0 via sum }
  run add = one() writes n
  start -> add -> { n < to -> add max ${max}, n >= to -> end }
}
`;
  const one = "export const one = () => 1;\n";
  const home = workspace({ "count.madrigal": program(1), "one.ts": one });
  const failed = await madrigal(["run", "count.madrigal", "--input", '{"to": 3}'], { home });
  expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining("M5010")]);
  const [command = ""] = /madrigal rerun [0-9a-f]{8}$/m.exec(failed.stderr) ?? [];
  expect(command).not.toBe("");
  put(home, "count.madrigal", program(5));
  const again = await madrigal([...command.split(" ").slice(1), "--json"], { home });
  expect([again.code, JSON.parse(again.stdout)]).toMatchObject([0, { output: { n: 3 } }]);
  expect(again.stderr).toContain("served: 2 node runs");
});

const POSTING = `import { write, post } from "./post.ts"
graph Letter(to: string) returns posted {
  state {
    letter: string
    posted: string
  }
  run draft = write(to) writes letter
  run send = post(letter) writes posted { effects external }
  start -> draft -> send -> end
}
`;

const did = `import { appendFileSync } from "node:fs";
const did = (what: string) => appendFileSync("did.txt", \`\${what} \`);
export const write = (to: string) => (did("write"), \`Dear \${to}\`);
export const post = (letter: string) => (did("post"), \`posted \${letter}\`);
`;

test("what called something outside is served unless `--external` says otherwise; `--anew` performs a node in any case", async () => {
  const home = workspace({ "letter.madrigal": POSTING, "post.ts": did });
  const input = ["--input", '{"to": "Ann"}'];
  const output = { posted: "posted Dear Ann" };
  const taken = async (words: readonly string[]) => {
    put(home, "did.txt", "");
    expect(await document(home, words)).toMatchObject({ exit: 0, json: { output } });
    return readFileSync(join(home, "did.txt"), "utf8").trim();
  };
  expect(await taken(["run", "letter.madrigal", ...input])).toBe("write post");
  expect(await taken(["rerun", "last"])).toBe("");
  expect(await taken(["rerun", "last", "--external"])).toBe("post");
  // Of a node that comes to the same, what follows is served.
  expect(await taken(["rerun", "last", "--anew", "draft"])).toBe("write");
  expect(await taken(["rerun", "last", "--anew", "draft", "--anew", "send"])).toBe("write post");
  const { json } = await document(home, ["rerun", "last", "--dry", "--anew", "draft"]);
  expect(json).toMatchObject({ performs: [{ label: "draft#1" }] });
  expect(await madrigal(["rerun", "last", "--anew", "daft"], { home })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("error[M5003]: `Letter` has no node `daft`"),
  });
});

/** `work` names `twice` of its own file, which names a constant there and a function of another file. */
const besides = ({ limit = 2, other = 1, plus = 1 } = {}) => ({
  "steps.ts": `import { appendFileSync } from "node:fs";
import { plus } from "./plus.ts";

/** How often. */
const LIMIT = ${limit};

function twice(n: number): number {
  return plus(n * LIMIT);
}

export function work(n: number): number {
  appendFileSync("did.txt", "work\\n");
  return twice(n);
}

export function other(n: number): number {
  return n + ${other};
}
`,
  "plus.ts": `export const plus = (n: number) => n + step;
const step = ${plus};
`,
});

test("a helper in a function's own file, or in a local one that this imports, is part of its code: for a re-run and for `cache`", async () => {
  const home = workspace({
    "sum.madrigal": `import { other, work } from "./steps.ts"
graph Sum(base: int) returns total {
  state {
    one: int = 0
    total: int = 0
  }
  run a = work(base) writes one { cache }
  run b = other(one) writes total
  start -> a -> b -> end
}
`,
    ...besides(),
  });
  const edit = (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) put(home, name, text);
  };
  const run = async () => await document(home, ["run", "sum.madrigal", "--input", '{"base": 1}']);
  const why = async () => (await document(home, ["rerun", "last", "--dry"])).json.performs;
  expect((await run()).json.output).toEqual({ total: 4 });
  expect(await why()).toEqual([]);
  // What nobody calls here has changed.
  edit(besides({ other: 5 }));
  expect(await why()).toMatchObject([{ label: "b#1", why: ["function `other`: code changed"] }]);
  for (const edited of [besides({ limit: 3 }), besides({ plus: 9 })]) {
    edit(edited);
    expect(await why()).toMatchObject([{ label: "a#1", why: ["function `work`: code changed"] }]);
  }
  const did = () => readFileSync(join(home, "did.txt"), "utf8").split("\n").length - 1;
  expect(did()).toBe(1);
  expect((await run()).json.output).toEqual({ total: 12 });
  expect(did()).toBe(2);
  edit(besides({ plus: 9, other: 2 }));
  expect((await run()).json.output).toEqual({ total: 13 });
  expect(did()).toBe(2);
});
