/** `madrigal memory`: entries shown, edited, approved, exported, imported, and forgotten so that no file has them. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openRunStore } from "../../../../runtime/store/open-store.ts";
import { workspaceIn } from "../../../../runtime/store/workspace.ts";
import { madrigal } from "../../../support/warm/madrigal.ts";
import { document, said, workspace } from "../calling.ts";

const program = (settings = "") => `import { same } from "./same.ts"
memory notes user: { topic: string, text: string } by topic ${settings}
graph Note(topic: string, text: string) returns seen {
  state { seen: Json = null }
  run keep = same(notes) writes seen { recall notes by topic; store { topic, text } into notes }
  start -> keep -> end
}
`;
const files = {
  "note.madrigal": program(),
  "review.madrigal": program("{ review: true }"),
  "same.ts": "export const same = (value: unknown) => value;\n",
};
const note = (home: string, topic: string, text: string, { user = "ann", file = "note" } = {}) =>
  madrigal(
    ["run", `${file}.madrigal`, "--user", user, "--input", JSON.stringify({ topic, text })],
    { home },
  );

interface Listed {
  readonly id: string;
  readonly state: string;
  readonly value: unknown;
}

async function list(home: string, ...more: readonly string[]): Promise<readonly Listed[]> {
  const { json } = await document(home, ["memory", "list", ...more]);
  return json.entries as readonly Listed[];
}

test("M104 stored entries are listed, shown, edited, exported, imported for another user, and deleted", async () => {
  const home = workspace(files);
  expect(await said(home, ["memory"])).toBe("exit 0\nno memory has an entry");
  await note(home, "lamp", "lamps at Hell");
  await note(home, "lamp", "lamps at Dunkel", { user: "bob" });
  const [entry] = await list(home, "notes", "--user", "ann");
  const id = entry?.id ?? "";
  expect(await said(home, ["memory", "list", "--user", "ann"])).toMatch(
    /^exit 0\nid +memory +of +state +stored \(UTC\) +by +value\nm\w+ +notes +user ann +kept +DATE.* {"topic":"lamp","text":"lamps at Hell"}$/,
  );
  expect(await said(home, ["memory", "show", id])).toContain("notes of user ann  kept");
  expect(await said(home, ["memory", "show", "nope"])).toContain("M7871");
  expect(await said(home, ["memory", "shwo", id])).toContain("did you mean `show`?");
  expect(await said(home, ["memory", "list", "nothing"])).toBe(
    "exit 0\nno memory has such an entry",
  );
  expect(await said(home, ["memory", "list", "--state", "lost"])).toContain(
    "`--state` is one of kept, proposed, superseded, forgotten, not `lost`",
  );
  expect(await said(home, ["memory", "edit", id, "--set", "{"])).toContain("M7104");
  await said(home, ["memory", "edit", id, "--set", '{"topic": "lamp", "text": "closed"}']);
  expect((await list(home, "--user", "ann")).map(({ state }) => state)).toEqual([
    "kept",
    "superseded",
  ]);
  const { stdout } = await madrigal(["memory", "export", "--user", "bob"], { home });
  writeFileSync(join(home, "bob.jsonl"), stdout);
  expect(await said(home, ["memory", "import", "bob.jsonl", "--user", "cara"])).toBe(
    "exit 0\n1 record stored",
  );
  writeFileSync(join(home, "wrong.jsonl"), `${stdout}{"memory": "notes"}\n`);
  expect(await said(home, ["memory", "import", "wrong.jsonl", "--user", "dora"])).toContain(
    "M8760",
  );
  expect(await list(home, "--user", "dora")).toEqual([]);
  expect((await list(home, "--user", "cara")).map(({ value }) => value)).toEqual([
    { topic: "lamp", text: "lamps at Dunkel" },
  ]);
  expect(await said(home, ["memory", "delete"])).toContain("M7103");
  expect(await said(home, ["memory", "delete", id, "--user", "ann"])).toContain("M7103");
  expect(await list(home, "--user", "ann")).toHaveLength(2);
  expect(await said(home, ["memory", "list", "--state", "kpet"])).toContain("not `kpet`");
  expect(await said(home, ["memory", "delete", "--user", "bob"])).toContain("1 record deleted");
  expect(await list(home, "--user", "bob")).toEqual([]);
});

test("an entry is named by the beginning of its id wherever it is named; none and several are told apart", async () => {
  const home = workspace(files);
  await note(home, "lamp", "lamps at Hell");
  await note(home, "door", "a red door");
  const ids = (await list(home)).map(({ id }) => id);
  const several = await said(home, ["memory", "delete", "m"]);
  expect(several).toContain("M7871");
  for (const id of ids) expect(several).toContain(id);
  expect(await said(home, ["memory", "delete", ""])).toContain("no entry");
  const [first = "", second = ""] = ids;
  const short = [first.slice(0, 8), first.slice(0, 9), first];
  for (const verb of ["show", "approve"])
    expect(await said(home, ["memory", verb, short[0] ?? ""])).toContain("exit 0");
  expect(await said(home, ["memory", "delete", ...short])).toContain("1 record deleted");
  expect((await list(home)).map(({ id }) => id)).toEqual([second]);
  expect(await said(home, ["memory", "delete", ""])).toContain("no entry");
  expect(await list(home)).toHaveLength(1);
});

test("an edit is checked by the type of the memory, and known by the key of what was written", async () => {
  const home = workspace(files);
  await note(home, "lamp", "lamps at Hell");
  const [{ id = "" } = {}] = await list(home);
  for (const wrong of ['"text"', '{"topic": 7, "text": "x"}', "null"])
    expect(await said(home, ["memory", "edit", id, "--set", wrong])).toContain("M5362");
  expect((await list(home)).map(({ state }) => state)).toEqual(["kept"]);
  await said(home, ["memory", "edit", id, "--set", '{"topic": "door", "text": "a red door"}']);
  await note(home, "lamp", "lamps at Dunkel");
  await note(home, "door", "a blue door");
  expect((await list(home, "--state", "kept")).map(({ value }) => value)).toEqual([
    { topic: "door", text: "a blue door" },
    { topic: "lamp", text: "lamps at Dunkel" },
  ]);
});

test("entries are rows of SQL, as they are now, and no trace has them", async () => {
  const home = workspace(files);
  await note(home, "lamp", "lamps at Hell");
  await note(home, "lamp", "lamps at Dunkel", { user: "bob" });
  await note(home, "lamp", "lamps at night", { user: "bob" });
  const rows = async (sql: string) => (await document(home, ["sql", sql])).json.rows;
  expect(
    await rows(`SELECT user_id, state, value->>'$.text' AS text, key->>'$' AS key, superseded_by IS NULL AS last
      FROM memories JOIN runs USING (run_id) ORDER BY memories.ts`),
  ).toEqual([
    { user_id: "ann", state: "kept", text: "lamps at Hell", key: "lamp", last: true },
    { user_id: "bob", state: "superseded", text: "lamps at Dunkel", key: "lamp", last: false },
    { user_id: "bob", state: "kept", text: "lamps at night", key: "lamp", last: true },
  ]);
  await said(home, ["memory", "delete", "--user", "ann"]);
  expect(await rows("SELECT count(*)::INTEGER AS n FROM Memories WHERE user_id = 'ann'")).toEqual([
    { n: 0 },
  ]);
});

test("M102 what a run learned is proposed, and recalled once a person has approved it", async () => {
  const home = workspace(files);
  await note(home, "lamp", "at Hell", { file: "review" });
  const [proposed] = await list(home, "--state", "proposed");
  expect((await note(home, "lamp", "x", { file: "review" })).stdout).not.toContain("at Hell");
  expect(await said(home, ["memory", "approve", proposed?.id ?? ""])).toBe(
    "exit 0\n1 record approved",
  );
  expect((await note(home, "lamp", "y", { file: "review" })).stdout).toContain("at Hell");
});

test("what is forgotten with --redact-logs stands in no file and no log of the workspace; without it, the command names the runs", async () => {
  const home = workspace(files);
  const secret = "Zanzibarquokka";
  await note(home, "trip", secret);
  await note(home, "trip", "later", { user: "ann" });
  const [later, first] = await list(home);
  expect(await said(home, ["memory", "delete", later?.id ?? ""])).toMatch(
    /the logs of .+ have it still/,
  );
  expect(inLogs(home, secret)).toBe(true);
  const { json } = await document(home, ["memory", "delete", first?.id ?? "", "--redact-logs"]);
  expect(json).toMatchObject({ entries: 1, redacted: true });
  expect(inLogs(home, secret)).toBe(false);
  // DuckDB keeps deleted blocks in its file, which is made anew from the logs where it is missing.
  rmSync(join(home, ".madrigal", "traces", "live-cli.duckdb"), { force: true });
  expect(await said(home, ["sql", "SELECT count(*) AS runs FROM runs"])).toBe(
    "exit 0\nruns\n   2\n1 row",
  );
  expect(filesWith(join(home, ".madrigal"), secret)).toEqual([]);
});

function inLogs(home: string, text: string): boolean {
  const store = openRunStore(workspaceIn(home));
  try {
    return store.list().some(({ runId }) => JSON.stringify(store.read(runId)).includes(text));
  } finally {
    store.close();
  }
}

/** The files below a folder that have the text, in any case. */
function filesWith(folder: string, text: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((one) => {
    if (!one.isFile()) return [];
    const path = join(one.parentPath, one.name);
    return readFileSync(path).toString("latin1").toLowerCase().includes(text.toLowerCase())
      ? [path]
      : [];
  });
}

test("M102 what a run teaches is proposed: its plan, kept once a person approves it, and changed", async () => {
  const home = workspace({
    "do.madrigal": `import { go } from "./go.ts"
graph Do(task: string) returns plan {
  state { plan: Plan = { steps: [] } }
  run go_on = go(task) writes plan
  start -> go_on -> end
}
`,
    "go.ts": `export const go = (task: string) => ({ steps: [{ id: "look", title: task, details: "" }] });\n`,
    "unseen.madrigal": `import { same } from "./same.ts"
graph Unseen(story: string) returns seen {
  memory stories: string
  state { seen: string = "" }
  run keep = same(story) writes seen { store story into stories }
  start -> keep -> end
}
`,
    "same.ts": "export const same = (text: string) => text;\n",
  });
  const run = ["run", "do.madrigal", "--user", "ann", "--input", '{"task": "Find a lamp"}'];
  await madrigal(run, { home });
  expect(await said(home, ["memory", "learn"])).toContain("`RUN` is missing");
  const unseen = await said(home, ["memory", "learn", "last", "--program", "unseen.madrigal"]);
  expect(unseen).toContain("M8761");
  const misspelt = ["memory", "learn", "last", "--model", "lerner=rules"];
  expect(await said(home, misspelt)).toMatch(/M7104[\s\S]*did you mean `learner`/);
  expect(await said(home, ["memory", "learn", "last"])).toContain("1 record proposed");
  const [proposed] = await list(home, "plans", "--user", "ann", "--state", "proposed");
  const learned = {
    task: "Find a lamp",
    summary: "Find a lamp",
    steps: [{ id: "look", title: "Find a lamp", details: "" }],
  };
  expect(proposed).toMatchObject({ value: learned });
  const changed = JSON.stringify({ ...learned, summary: "Look once." });
  await said(home, ["memory", "edit", proposed?.id ?? "", "--set", changed]);
  // M128: what is edited and not accepted is a proposal still.
  expect(await list(home, "plans", "--user", "ann", "--state", "kept")).toEqual([]);
  const [edited, ...others] = await list(home, "plans", "--user", "ann", "--state", "proposed");
  expect([edited, others]).toMatchObject([{ value: { summary: "Look once." } }, []]);
  await said(home, ["memory", "approve", edited?.id ?? ""]);
  expect(await list(home, "plans", "--user", "ann", "--state", "kept")).toMatchObject([
    { value: { summary: "Look once." } },
  ]);
});
