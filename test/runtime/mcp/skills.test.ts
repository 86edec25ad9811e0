/** Skills of MCP servers: listed, opened on demand, hashed into the log, and replayed without the server. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { type DrivenRun, type RunOptions, scriptedController } from "../../../runtime/index.ts";
import { newSession } from "../scoped-run.ts";
import { calling, commands, testFolder } from "./servers.ts";

const REFUNDS = `---
name: refunds
description: Refunds what a customer paid.
license: Apache-2.0
---
# Refunds

Write as references/mail.md says.
`;

const FILES = {
  "served/acme/refunds/SKILL.md": REFUNDS,
  "served/acme/refunds/references/mail.md": "Dear customer,\n",
  "served/acme/refunds/scripts/pay.py": "print('paid')\n",
  "served/style/SKILL.md": "---\nname: style\ndescription: Short words.\n---\nUse short words.\n",
  "skills/style/SKILL.md": "---\nname: style\ndescription: Our own.\n---\nUse our words.\n",
};

/** A folder with skills to serve, and some beside the program. */
function prepared(files: Readonly<Record<string, string>> = FILES): string {
  const folder = testFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

interface Served {
  readonly skills: string;
  readonly ways?: readonly string[];
  readonly settings?: string;
  readonly clauses?: string;
}

const program = (folder: string, { skills, ways = [], settings = "", clauses = "" }: Served) =>
  `model m = "scripted"
mcp docs = "${commands.skills(folder, ...ways).replaceAll('"', "'")}" ${settings}
openapi books = "books.json"
graph G() returns a {
  state { a: string }
  agent write { model m; skills ${skills}; prompt \`Write.\`; writes a; limit 9 turns; ${clauses} }
  start -> write -> end
}`;

const open = (skill: string, file?: string) =>
  ["skills.open", { skill, ...(file === undefined ? {} : { file }) }] as const;

async function played(
  folder: string,
  text: string,
  calls: readonly (readonly [tool: string, input: object])[] = [],
  options: RunOptions = {},
) {
  const session = newSession({ cwd: folder });
  const [graph] = Object.values(session.compile(text));
  const run = graph?.run({}, { models: calling("write", ...calls), ...options });
  if (run === undefined) throw new Error("no graph");
  const results: unknown[] = [];
  const requests: string[] = [];
  run.events$.subscribe((event) => {
    if (event.kind === "tool.result") results.push(event.failure?.message ?? event.value);
    if (event.kind === "model.request") requests.push(JSON.stringify(event.request));
  });
  await run.continue();
  return { run: run as typeof run & DrivenRun, graph, session, results, requests };
}

/** The requests for skills and files that the server has had. */
function asked(folder: string): readonly string[] {
  const file = join(folder, "asked");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
}

test("A112 an agent is told the skill of a server with its origin, and opens it and its files on demand", async () => {
  const folder = prepared();
  const { run, results, requests } = await played(
    folder,
    program(folder, { skills: '"docs:refunds", "style"' }),
    [open("docs:refunds"), open("docs:refunds", "references/mail.md"), open("style")],
  );
  expect(run.status).toBe("succeeded");
  expect(requests[0]).toContain(
    "- docs:refunds (from the server `docs`): Refunds what a customer paid.\\n- style: Our own.",
  );
  expect(requests[0]).not.toContain("Short words.");
  expect(results).toEqual([
    {
      skill: "docs:refunds",
      server: "docs",
      file: "SKILL.md",
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      text: "# Refunds\n\nWrite as references/mail.md says.",
      files: ["references/mail.md", "scripts/pay.py"],
    },
    expect.objectContaining({ server: "docs", text: "Dear customer,\n" }),
    expect.objectContaining({ skill: "style", text: "Use our words." }),
  ]);
  expect(asked(folder)).toEqual(["skills/list", "resources/read", "resources/read"]);
});

test.each([
  ["*", ["docs:refunds", "docs:style"], "skills/list"],
  ["acme/refunds", ["docs:refunds"], "skills/list"],
  ["skill://acme/refunds/SKILL.md", ["docs:refunds"], "skills/get"],
])("`docs:%s` stands for %j", async (name, found, method) => {
  const folder = prepared();
  const { requests } = await played(folder, program(folder, { skills: `"docs:${name}"` }));
  const told = [...(requests[0] ?? "").matchAll(/- (docs:\S+) \(from/g)].map(([, one]) => one);
  expect(told).toEqual(found);
  expect(asked(folder)).toEqual([method]);
});

test("a folder and a server with a skill of one name do not meet", async () => {
  const folder = prepared();
  const { results } = await played(folder, program(folder, { skills: '"style", "docs:style"' }), [
    open("style"),
    open("docs:style"),
  ]);
  expect(results).toMatchObject([{ text: "Use our words." }, { text: "Use short words." }]);
});

test("two skills of one name of a server are told apart by their addresses", async () => {
  const twice = { ...FILES, "served/old/refunds/SKILL.md": REFUNDS.replace("paid", "once paid") };
  const folder = prepared(twice);
  const all = await played(folder, program(folder, { skills: '"docs:*"' }));
  expect(all.requests[0]).toContain("- docs:skill://old/refunds/SKILL.md (from the server");
  const one = await played(folder, program(folder, { skills: '"docs:refunds"' }));
  expect(one.run.failure).toMatchObject({
    code: "M8742",
    hint: "name one of `docs:skill://acme/refunds/SKILL.md`, `docs:skill://old/refunds/SKILL.md`",
  });
});

test.each<[string, Served, string, string]>([
  [
    "is unknown",
    { skills: '"docs:refund"' },
    "M8740",
    "the server `docs` lists no skill `refund`; did you mean `docs:refunds`?",
  ],
  [
    "is unknown by its address",
    { skills: '"docs:skill://none/SKILL.md"' },
    "M8740",
    "the server `docs` has no skill skill://none/SKILL.md",
  ],
  ["is of no server", { skills: '"dogs:refunds"' }, "M8740", "the graph has no server `dogs`"],
  [
    "is of an API",
    { skills: '"books:refunds"' },
    "M8745",
    "the server `books` gives no skills: it is an API",
  ],
  [
    "is of a server without the extension",
    { skills: '"docs:refunds"', ways: ["none"] },
    "M8745",
    "it does not offer the extension `io.modelcontextprotocol/skills`",
  ],
  [
    "is of a server that ends when it is asked",
    { skills: '"docs:refunds"', ways: ["ends:skills/list"] },
    "M8412",
    "the server `docs` ended while `docs.skills` was called",
  ],
])("a run whose skill %s fails with a code", async (_, served, code, message) => {
  const folder = prepared();
  const { run } = await played(folder, program(folder, served));
  expect(run.failure).toMatchObject({ code, message: expect.stringContaining(message) });
});

test("an attempt whose server ends again and again while a file is read fails as one of its tools would", async () => {
  const folder = prepared();
  const text = program(folder, { skills: '"docs:refunds"', ways: ["ends:resources/read"] });
  const { run } = await played(folder, text, [open("docs:refunds")]);
  expect(run.failure).toMatchObject({ class: "transport", code: "M8412" });
});

test("without an optional server a node has its other skills", async () => {
  const folder = prepared();
  const text = program(folder, { skills: '"docs:refunds", "style"', settings: "optional" });
  const gone = text.replace("skills-server.js", "no-server.js");
  const { run, requests } = await played(folder, gone);
  expect(run.status).toBe("succeeded");
  expect(requests[0]).toContain("- style: Our own.");
  expect(requests[0]).not.toContain("docs:refunds");
});

test("the log has the hashes of a server's skill, and a replay and a rerun ask no server", async () => {
  const folder = prepared();
  const text = program(folder, { skills: '"docs:refunds"' });
  const { run, graph, session } = await played(folder, text, [open("docs:refunds")]);
  const [listed] = session.store
    .read(run.id)
    .flatMap((one) => (one.kind === "outcome" && one.effect === "skills" ? [one.value] : []));
  expect(listed).toMatchObject([
    {
      name: "docs:refunds",
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      files: [{ path: "SKILL.md", bytes: REFUNDS.length }, {}, {}],
      from: { server: "docs", uri: "skill://acme/refunds/SKILL.md" },
    },
  ]);
  const before = asked(folder);
  expect(run.replay()).toMatchObject({ ok: true });
  expect((await graph?.rerun(run, { models: calling("write") }))?.performs).toEqual([]);
  expect(asked(folder)).toEqual(before);
});

test("a node with a server's skill is not served from the cache", async () => {
  const folder = prepared();
  const session = newSession({ cwd: folder });
  const text = program(folder, { skills: '"docs:refunds"', clauses: "cache" });
  const [graph] = Object.values(session.compile(text));
  for (const _ of [1, 2]) await graph?.run({}, { models: calling("write") }).output;
  expect(asked(folder)).toEqual(["skills/list", "skills/list"]);
});

test("an agent has no tool to run the scripts of a server's skill", async () => {
  const folder = prepared();
  const { results, requests } = await played(
    folder,
    program(folder, { skills: '"docs:refunds"' }),
    [open("docs:refunds", "scripts/pay.py")],
  );
  expect(requests[0]).not.toContain("skills_run");
  expect(results).toMatchObject([{ text: "print('paid')\n" }]);
});

test("A111 a strong agent is given the instructions of a server's skill with their origin; other nodes have none", async () => {
  const folder = prepared();
  const session = newSession({ cwd: folder });
  const strong = scriptedController([{ says: "done" }]);
  const text = program(folder, { skills: '"style"' })
    .replace(
      "agent write",
      'operator code { controller strong; prompt `Go.`; skills "docs:refunds"; writes b }\n  agent write',
    )
    .replace("state { a: string }", "state { a: string  b: string }")
    .replace("returns a", "returns a, b")
    .replace("start ->", "start -> code ->");
  const [graph] = Object.values(session.compile(text, { scope: { strong } }));
  const run = graph?.run({}, { models: calling("write") });
  await run?.output;
  const records = session.store.read(run?.id ?? "");
  const begun = records.flatMap((one) =>
    one.kind === "intent" && one.effect === "controller" ? [JSON.stringify(one.request)] : [],
  );
  expect(begun[0]).toContain("(From the server `docs`.)\\n\\n# Refunds");
  const listed = records.flatMap((one) =>
    one.kind === "outcome" && one.effect === "skills" ? [JSON.stringify(one.value)] : [],
  );
  expect(listed.map((one) => one.includes("docs:refunds"))).toEqual([true, false]);
});
