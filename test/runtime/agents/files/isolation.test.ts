/** Agents with files of their own: a worktree of git or a copy, which a person is asked to take into the root. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { OpenResources } from "../../../../runtime/agents/tools/tool-caller.ts";
import {
  createCodeTools,
  createFileTools,
  type Run,
  Session,
  scripted,
} from "../../../../runtime/index.ts";
import { temporaryFolder } from "../../../support/child.ts";
import { ask } from "../../asks/asking.ts";

/** Calls of the file system that may still be made, until a process is taken to be dead. */
const life = vi.hoisted(() => ({ left: Number.POSITIVE_INFINITY }));

vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof import("node:fs/promises")>();
  const mortal = <F extends (...args: never[]) => unknown>(fn: F) =>
    ((...args: never[]) => {
      life.left -= 1;
      if (life.left < 0) throw new Error("killed");
      return fn(...args);
    }) as F;
  const { mkdir, open, rename, unlink, writeFile } = real;
  return {
    ...real,
    mkdir: mortal(mkdir),
    open: mortal(open),
    rename: mortal(rename),
    unlink: mortal(unlink),
    writeFile: mortal(writeFile),
  };
});

let states = "";

beforeEach(() => {
  states = temporaryFolder();
  vi.stubEnv("XDG_STATE_HOME", states);
  life.left = Number.POSITIVE_INFINITY;
  return () => vi.unstubAllEnvs();
});

const SONGS = Array.from({ length: 12 }, (_, at) => `song ${at + 1}`);
const songs = (change: Readonly<Record<number, string>> = {}) =>
  `${SONGS.map((song, at) => change[at + 1] ?? song).join("\n")}\n`;

type Isolation = "copy" | "worktree";
const both: readonly [Isolation][] = [["copy"], ["worktree"]];

/** A folder with files, in a repository with a commit that lacks some of them. */
function preparedRoot(isolate: Isolation = "worktree"): string {
  const root = temporaryFolder();
  mkdirSync(join(root, "docs"));
  writeFileSync(join(root, "songs.md"), songs());
  writeFileSync(join(root, "docs/old.md"), "old\n");
  writeFileSync(join(root, ".gitignore"), "build/\n");
  if (isolate === "worktree") {
    git(root, "init", "-q");
    git(root, "add", ".");
    git(root, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "begin");
  }
  writeFileSync(join(root, "docs/new.md"), "not committed\n");
  writeFileSync(join(root, ".env"), "KEY=secret\n");
  return root;
}

function git(cwd: string, ...args: readonly string[]): string {
  const env = { PATH: process.env.PATH ?? "", HOME: cwd, GIT_CONFIG_NOSYSTEM: "1" };
  return execFileSync("git", [...args], { cwd, env, encoding: "utf8" });
}

/** The places in which agents have their files. */
function places(): readonly string[] {
  const all = join(states, "madrigal/files");
  return existsSync(all) ? readdirSync(all) : [];
}

const edit = (change: Readonly<Record<number, string>>) =>
  Object.entries(change).map(([at, text]) => ({
    tool: "files.edit",
    input: {
      path: "songs.md",
      old: `song ${at}\nsong ${Number(at) + 1}\n`,
      new: `${text}\nsong ${Number(at) + 1}\n`,
    },
  }));
const submit = { tool: "files.submit", input: {} };
const MEND = edit({ 2: "The Silver Swan" });

const TEXT = `model m = "scripted"
graph G() returns report {
  state { report: string }
  agent work { model m; tools files.*; prompt \`Go.\`; writes report; limit 20 turns }
  start -> work -> end
}`;

type Calls = readonly { readonly tool: string; readonly input: Record<string, string> }[];

/** Starts an agent that makes these calls, turn by turn; what it is told comes in `told`. */
function working(root: string, isolate: Isolation, turns: readonly Calls[]) {
  const files = createFileTools({ root, isolate });
  const models = {
    m: scripted({ work: [...turns.map((calls) => ({ calls: [...calls] })), "done"] }),
  };
  const { run } = ask(TEXT, { models, scope: { files } });
  return { run, told: results(run) };
}

function results(run: Run): unknown[] {
  const told: unknown[] = [];
  run.events$.subscribe((event) => {
    if (event.kind === "tool.result") told.push(event.failure?.message ?? event.value);
  });
  return told;
}

async function question(run: Run) {
  await run.continue();
  const [open] = run.interrupts;
  if (open === undefined) throw new Error("nothing is asked");
  return open;
}

const read = (root: string, path = "songs.md") => readFileSync(join(root, path), "utf8");

test.each(both)(
  "an agent's files are its own until a person has seen the diff and takes them: %s",
  async (isolate) => {
    const root = preparedRoot();
    const { run, told } = working(root, isolate, [
      [
        ...MEND,
        { tool: "files.list", input: {} },
        { tool: "files.read", input: { path: "docs/new.md" } },
      ],
      [
        { tool: "files.write", input: { path: "deep/er/mine.md", text: "mine\n" } },
        { tool: "files.delete", input: { path: "docs/old.md" } },
      ],
      [submit],
    ]);
    const asked = await question(run);
    expect([read(root), existsSync(join(root, "deep"))]).toEqual([songs(), false]);
    expect(asked).toMatchObject({
      kind: "approval",
      question: `Put the changes of 3 files into ${root}? deep/er/mine.md, docs/old.md, songs.md`,
      shown: expect.stringMatching(/\+mine\n[\s\S]*-old\n[\s\S]*-song 2\n\+The Silver Swan\n/),
    });
    expect(JSON.stringify(told[1])).not.toContain(".env");
    expect(told[2]).toMatchObject({ text: "not committed" });
    await run.answer(asked.id, { kind: "approve" });
    await run.output;
    expect([read(root), read(root, "deep/er/mine.md")]).toEqual([
      songs({ 2: "The Silver Swan" }),
      "mine\n",
    ]);
    expect(existsSync(join(root, "docs/old.md"))).toBe(false);
    expect(told.at(-1)).toMatchObject({ isMerged: true });
    expect(run.artifacts.at(-1)).toMatchObject({ name: "changes of 3 files", kind: "patch" });
    await vi.waitFor(() => expect(places()).toEqual([]));
    expect(git(root, "worktree", "list").trim().split("\n")).toHaveLength(1);
  },
);

test.each(both)(
  "changes that a person declines are told to the agent, and stay its own: %s",
  async (isolate) => {
    const root = preparedRoot();
    const { run, told } = working(root, isolate, [MEND, [submit], [submit]]);
    await run.answer((await question(run)).id, { kind: "deny", reason: "name the composer" });
    const again = await question(run);
    expect([told.at(-1), read(root)]).toMatchObject([
      { isMerged: false, reason: "declined: name the composer", files: ["songs.md"] },
      songs(),
    ]);
    await run.answer(again.id, { kind: "deny" });
    await run.output;
    expect(told.at(-1)).toMatchObject({ isMerged: false, reason: "declined" });
    expect(read(root)).toBe(songs());
  },
);

test.each(both)(
  "what changed in the root meanwhile is merged, at other places of the same file: %s",
  async (isolate) => {
    const root = preparedRoot();
    const { run } = working(root, isolate, [MEND, [submit]]);
    const asked = run.events$.subscribe((event) => {
      if (event.kind === "tool.result")
        writeFileSync(join(root, "songs.md"), songs({ 11: "Now Oh Now" }));
    });
    const { id, shown } = await question(run);
    asked.unsubscribe();
    expect(shown).not.toContain("Now Oh Now");
    await run.answer(id, { kind: "approve" });
    await run.output;
    expect(read(root)).toBe(songs({ 2: "The Silver Swan", 11: "Now Oh Now" }));
  },
);

test.each(both)(
  "a conflict is told with the other change, and the next question shows what would become of it: %s",
  async (isolate) => {
    const root = preparedRoot();
    const { run, told } = working(root, isolate, [MEND, [submit], [submit]]);
    const other = run.events$.subscribe((event) => {
      if (event.kind === "tool.result")
        writeFileSync(join(root, "songs.md"), songs({ 2: "Weep O Mine Eyes" }));
    });
    const { id, shown } = await question(run);
    other.unsubscribe();
    expect(told.at(-1)).toMatchObject({
      isMerged: false,
      conflicts: [
        { path: "songs.md", diff: expect.stringContaining("-song 2\n+Weep O Mine Eyes\n") },
      ],
    });
    expect([shown, read(root)]).toEqual([
      expect.stringContaining("-Weep O Mine Eyes\n+The Silver Swan\n"),
      songs({ 2: "Weep O Mine Eyes" }),
    ]);
    await run.answer(id, { kind: "deny" });
    await run.output;
    expect(run.artifacts.map(({ name }) => name)).toContain("conflict in songs.md");
  },
);

test.each(both)(
  "what changes while the question is open is not overwritten: %s",
  async (isolate) => {
    const root = preparedRoot();
    const { run, told } = working(root, isolate, [MEND, [submit]]);
    const { id } = await question(run);
    writeFileSync(join(root, "songs.md"), "other\n");
    await run.answer(id, { kind: "approve" });
    await run.output;
    expect(read(root)).toBe("other\n");
    expect(told.at(-1)).toMatchObject({
      isMerged: false,
      reason: expect.stringContaining("songs.md changed while"),
    });
  },
);

test.each(both)(
  "a run that goes on in another process has its agent's files, and the same question: %s",
  async (isolate) => {
    const root = preparedRoot();
    const home = temporaryFolder();
    const turns = [{ calls: [...MEND] }, { calls: [submit] }, "done"];
    const opened = () => {
      const session = new Session({ env: { MADRIGAL_HOME: home } });
      onTestFinished(() => session.close());
      const models = { m: scripted({ work: turns }) };
      const files = createFileTools({ root, isolate });
      return { session, models, graph: session.compile(TEXT, { scope: { files } }).G };
    };
    const one = opened();
    const run = one.graph?.run({}, { models: one.models });
    if (run === undefined) throw new Error("no graph");
    const { id } = await question(run);
    await run.pause({ now: true });
    await one.session.close();
    expect([places().length, read(root)]).toEqual([1, songs()]);
    const two = opened();
    const again = two.session.open(run.id, { models: two.models });
    await again.answer(id, { kind: "approve" });
    await again.resume();
    await again.output;
    expect(read(root)).toBe(songs({ 2: "The Silver Swan" }));
    await vi.waitFor(() => expect(places()).toEqual([]));
  },
);

describe("a process that is killed at any call of the file system", () => {
  test.each(both)("loses nothing of an agent, and changes the root once: %s", async (isolate) => {
    let kills = 0;
    for (let calls = 0; calls < 400; calls += isolate === "copy" ? 1 : 5) {
      const root = preparedRoot(isolate);
      const agent = { run: `run ${calls}`, turn: "0" };
      const perform = callsOf(root, isolate, agent);
      await perform("write", { path: "mine.md", text: "mine\n" });
      await perform("edit", MEND[0]?.input ?? {});
      writeFileSync(join(root, "songs.md"), songs({ 11: "Now Oh Now" }));
      life.left = calls;
      const isDead = await perform("submit", {}).then(
        () => false,
        () => true,
      );
      life.left = Number.POSITIVE_INFINITY;
      if (!isDead) break;
      kills += 1;
      const result = await callsOf(root, isolate, agent)("submit", {});
      expect(result, `killed at call ${calls}`).toMatchObject({
        isMerged: true,
        files: ["mine.md", "songs.md"],
      });
      expect([read(root), read(root, "mine.md")]).toEqual([
        songs({ 2: "The Silver Swan", 11: "Now Oh Now" }),
        "mine\n",
      ]);
    }
    expect(kills).toBeGreaterThan(5);
  });

  test.each(both)("leaves no half of a folder behind: %s", async (isolate) => {
    const root = preparedRoot();
    const agent = { run: "run", turn: "0" };
    for (let calls = 0; calls < 12; calls += 1) {
      life.left = calls;
      await callsOf(root, isolate, agent)("list", {}).catch(() => {});
    }
    life.left = Number.POSITIVE_INFINITY;
    expect(await callsOf(root, isolate, agent)("read", { path: "songs.md" })).toMatchObject({
      of: 12,
    });
  });
});

/** Calls of tools as an agent makes them; each is the first call of a process. The person says yes. */
function callsOf(root: string, isolate: Isolation, agent: { run: string; turn: string }) {
  const tools = createFileTools({ root, isolate });
  const context = {
    signal: new AbortController().signal,
    idempotencyKey: "the call",
    artifact: async () => ({ id: "1" }),
    ask: async () => ({ kind: "approve" }),
    caller: {
      ...agent,
      step: 1,
      reach: undefined,
      open: new OpenResources(),
      state: undefined,
      results: [],
    },
  };
  return (name: keyof typeof tools, input: object) =>
    (tools[name] as unknown as (input: object, context: object) => Promise<unknown>)(
      input,
      context,
    );
}

test("folders of runs that nobody went on with for 30 days are removed with their worktrees", async () => {
  const root = preparedRoot();
  await callsOf(root, "worktree", { run: "old", turn: "0" })("list", {});
  await callsOf(root, "worktree", { run: "recent", turn: "0" })("list", {});
  const before = new Date(Date.now() - 31 * 24 * 3_600_000);
  utimesSync(join(states, "madrigal/files/old"), before, before);
  await callsOf(root, "worktree", { run: "new", turn: "0" })("list", {});
  expect(places()).toEqual(["new", "recent"]);
  expect(git(root, "worktree", "list").trim().split("\n")).toHaveLength(3);
});

test("two agents see nothing of each other's files", async () => {
  const root = preparedRoot();
  const [one, other] = ["0", "1"].map((turn) => callsOf(root, "worktree", { run: "r", turn }));
  await one?.("write", { path: "mine.md", text: "mine\n" });
  await expect(other?.("read", { path: "mine.md" })).rejects.toMatchObject({ code: "M8321" });
});

test.each(both)(
  "links lead neither out of the folder of an agent nor out of the root: %s",
  async (isolate) => {
    const root = preparedRoot();
    const outside = temporaryFolder();
    writeFileSync(join(outside, "secret.txt"), "secret");
    symlinkSync(outside, join(root, "link"));
    const call = callsOf(root, isolate, { run: "r", turn: "0" });
    await expect(call("read", { path: "link/secret.txt" })).rejects.toThrow();
    await call("write", { path: "docs/x/mine.md", text: "mine\n" });
    rmSync(join(root, "docs"), { recursive: true });
    symlinkSync(outside, join(root, "docs"));
    await call("submit", {}).catch(() => {});
    expect(readdirSync(outside)).toEqual(["secret.txt"]);
  },
);

test("an agent's code works in the agent's folder", async () => {
  const root = preparedRoot();
  const files = createFileTools({ root, isolate: "copy" });
  const code = createCodeTools({ cwd: files, sandbox: "open" });
  const models = {
    m: scripted({
      work: [
        { calls: MEND },
        {
          calls: [
            {
              tool: "code.run",
              input: { language: "shell", code: "grep Swan songs.md; echo by code > made.md" },
            },
          ],
        },
        { calls: [{ tool: "files.read", input: { path: "made.md" } }] },
        "done",
      ],
    }),
  };
  const { run } = ask(TEXT.replace("files.*", "files.*, code.*"), {
    models,
    scope: { files, code },
  });
  const told = results(run);
  await run.output;
  expect(told.slice(1)).toMatchObject([{ stdout: "The Silver Swan\n" }, { text: "by code" }]);
  expect(existsSync(join(root, "made.md"))).toBe(false);
});

test.each([
  ["M8328", "worktree"],
  ["M8329", "copy"],
] as const)(
  "%s: a folder without a repository, and a call without an agent",
  async (code, isolate) => {
    const root = temporaryFolder();
    const tools = createFileTools({ root, isolate });
    const call =
      code === "M8328"
        ? callsOf(root, isolate, { run: "r", turn: "0" })("list", {})
        : (tools.list as unknown as (input: object) => Promise<unknown>)({});
    await expect(call).rejects.toMatchObject({ code });
  },
);
