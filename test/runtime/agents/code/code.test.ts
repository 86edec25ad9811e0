/** The tools that run code, in real bubblewrap: results, limits, folders, and the runs that they are a part of. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { codeBlocks } from "../../../../runtime/agents/code/code-blocks.ts";
import {
  type ArtifactOptions,
  type CodeToolsOptions,
  createCodeTools,
  createFileTools,
  scripted,
} from "../../../../runtime/index.ts";
import { temporaryFolder } from "../../../support/child.ts";
import { missing } from "../../../support/python-env.ts";
import { ask } from "../../asks/asking.ts";

const reason = await missing("bubblewrap");
const sandboxed = test.skipIf(reason !== undefined);
const MB = 1024 * 1024;

type Language = "javascript" | "typescript" | "python" | "shell";

function run(language: Language, code: string, options: CodeToolsOptions = {}) {
  return createCodeTools(options).run({ language, code });
}

sandboxed.each([
  [
    "javascript",
    "import os from 'node:os'; console.log(1 + 1, os.hostname(), process.cwd())",
    "2 sandbox /work\n",
  ],
  ["javascript", "const os = require('node:os'); console.log(typeof os)", "object\n"],
  ["typescript", "interface A { a: number } const a = { a: 1 } as A; console.log(a.a)", "1\n"],
  ["python", "import sys; print(sys.version_info.major)", "3\n"],
  ["shell", "printf '%s\\n' a b | sort -r", "b\na\n"],
] as const)("M35 %s runs: %s", async (language, code, stdout) => {
  expect(await run(language, code)).toMatchObject({ exitCode: 0, stdout, stderr: "", notes: [] });
});

sandboxed(
  "M45 the environment is small, the home is the folder, and what an agent installs or sets is its own",
  async () => {
    vi.stubEnv("API_KEY", "sk-mine");
    onTestFinished(() => void vi.unstubAllEnvs());
    const { stdout } = await run("shell", "env | sed 's/=.*//' | sort");
    expect(stdout.trim().split("\n")).toEqual(
      "HOME LANG PATH PWD PYTHONDONTWRITEBYTECODE SHLVL TMPDIR _".split(" "),
    );
    const folder = temporaryFolder();
    const [ada, bob] = ["ada", "bob"].map((name) => createCodeTools({ cwd: join(folder, name) }));
    const install = `import os, site
os.makedirs(site.getusersitepackages()); open(site.getusersitepackages() + "/mine.py", "w").write("word = 'hers'")
open("note.txt", "w").write("hers"); os.environ["WORD"] = "hers"`;
    const look = `import os
try:
    import mine; print(mine.word)
except ImportError: print("none")
print(sorted(os.listdir(".")), os.environ.get("WORD"), os.path.exists("../ada"))`;
    await ada?.run({ language: "python", code: install });
    const seen = async (tools: typeof ada) =>
      (await tools?.run({ language: "python", code: look }))?.stdout;
    expect(await seen(ada)).toBe("hers\n['.local', 'madrigal_code.py', 'note.txt'] None False\n");
    expect(await seen(bob)).toBe("none\n['madrigal_code.py'] None False\n");
  },
);

sandboxed(
  "M36 a result has the exit code and the outputs, also of code that fails, is killed or says nothing",
  async () => {
    const failed = await run("python", "print('so far')\n1/0");
    expect(failed).toMatchObject({ exitCode: 1, stdout: "so far\n" });
    expect(failed.stderr).toContain('File "/work/madrigal_code.py", line 2');
    expect(failed.stderr).toContain("ZeroDivisionError");
    expect(await run("shell", "exit 7")).toMatchObject({ exitCode: 7, stdout: "", stderr: "" });
    expect(await run("shell", "kill -SEGV $$")).toMatchObject({ exitCode: 139 });
    expect(await run("shell", "no-such-command")).toMatchObject({ exitCode: 127 });
  },
);

sandboxed(
  "M35 what takes too long is stopped with all of its processes, and says so with what it has said",
  async () => {
    const tools = createCodeTools({ timeoutMs: 60_000 });
    const slow = "echo before; sleep 600 & sleep 600";
    expect(await tools.run({ language: "shell", code: slow, seconds: 1 })).toMatchObject({
      exitCode: 124,
      stdout: "before\n",
      notes: ["stopped: the time of 1 s was up"],
      limits: { timeoutMs: 1000 },
    });
  },
);

sandboxed("outputs are cut in their middle", async () => {
  const { stdout, notes } = await run("shell", "echo begin; seq 100000; echo end", {
    outputBytesMax: 100,
  });
  expect(stdout).toMatch(/^begin\n1\n.*\n…\n.*100000\nend\n$/s);
  expect(notes).toEqual([expect.stringMatching(/^cut: \d+ of \d+ bytes of stdout are left out$/)]);
});

sandboxed(
  "M38 files are there when code starts, and what it writes is kept; a temporary folder is gone",
  async () => {
    const made: unknown[] = [];
    const tools = createCodeTools();
    const context = {
      signal: new AbortController().signal,
      idempotencyKey: "k",
      artifact: async (one: ArtifactOptions) => {
        const data = one.data as Uint8Array;
        made.push({ ...one, data: Buffer.from(data).toString() });
        return { id: `${one.name}@1`, bytes: data.length } as never;
      },
    };
    const code = `tr a-z A-Z < in.txt > out.csv; mkdir plots; echo '<svg/>' > plots/a.svg
mkdir node_modules .cache; touch node_modules/x .cache/y; echo more >> changed.txt`;
    const files = { "in.txt": "a,b\n", "changed.txt": "one\n" };
    const result = await tools.run({ language: "shell", code, files }, context);
    expect(result).toMatchObject({
      exitCode: 0,
      sandbox: "bwrap",
      limits: { memoryBytesMax: 512 * MB },
    });
    expect(made).toEqual([
      { name: "changed.txt", kind: "file", data: "one\nmore\n", path: "changed.txt" },
      { name: "out.csv", kind: "file", data: "A,B\n", path: "out.csv" },
      { name: "plots/a.svg", kind: "image", data: "<svg/>\n", path: "plots/a.svg" },
    ]);
    expect(result.files[1]).toEqual({ path: "out.csv", bytes: 4, artifact: "out.csv@1" });
    expect(
      readdirSync(tmpdir()).filter((name) => name.startsWith(`madrigal-code-${process.pid}-`)),
    ).toEqual([]);
  },
);

sandboxed("M38 a folder that stays is the only place that code writes to", async () => {
  const folder = temporaryFolder();
  const cwd = join(folder, "work");
  const tools = createCodeTools({ cwd });
  const write =
    "echo 1 > kept.txt; echo 1 > ../beside.txt; echo 1 > /usr/x; echo 1 > /tmp/x && echo tmp";
  const { stdout, stderr } = await tools.run({ language: "shell", code: write });
  expect(stdout).toBe("tmp\n");
  expect(stderr.match(/Read-only file system/g)).toHaveLength(2);
  expect(await tools.run({ language: "shell", code: "cat kept.txt; ls /tmp" })).toMatchObject({
    stdout: "1\n",
  });
  expect([readdirSync(folder), readdirSync(cwd)]).toEqual([["work"], ["kept.txt"]]);
});

test.skipIf(reason !== undefined || process.getuid?.() !== 0)(
  "M38 a folder of root with files in it is refused, not given away",
  async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "mine.txt"), "");
    const found = createCodeTools({ cwd }).run({ language: "shell", code: "true" });
    await expect(found).rejects.toMatchObject({
      code: "M8333",
      message: expect.stringContaining("chown"),
    });
  },
);

sandboxed.each(["copy", "worktree"] as const)(
  "M38 code works on the files that an agent has of its own (%s), also where Madrigal runs as root",
  async (isolate) => {
    vi.stubEnv("XDG_STATE_HOME", temporaryFolder());
    onTestFinished(() => void vi.unstubAllEnvs());
    const root = temporaryFolder();
    const outside = join(temporaryFolder(), "mine.txt");
    writeFileSync(outside, "mine\n");
    mkdirSync(join(root, "docs"));
    writeFileSync(join(root, "docs/song.md"), "one\n");
    symlinkSync(outside, join(root, "docs/link"));
    const git = (...words: string[]) => execFileSync("git", ["-C", root, ...words]);
    git("init", "-q");
    git("add", ".");
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "begin");
    const files = createFileTools({ root, isolate });
    const shell = (code: string) => ({
      calls: [{ tool: "code.run", input: { language: "shell", code } }],
    });
    const { run } = ask(
      `model m = "scripted"
graph G() returns report {
  state { report: string }
  agent work { model m; tools files.write, code.run; prompt \`Work.\`; writes report; limit 9 turns }
  start -> work -> end
}`,
      {
        scope: { files, code: createCodeTools({ cwd: files }) },
        models: {
          m: scripted([
            shell("echo two >> docs/song.md && cat docs/song.md && echo made > made.txt"),
            { calls: [{ tool: "files.write", input: { path: "docs/own.md", text: "own\n" } }] },
            shell("echo more >> docs/own.md && cat docs/own.md; stat -c %U .git; ls docs"),
            "done",
          ]),
        },
      },
    );
    const outputs: string[] = [];
    run.events$.subscribe((event) => {
      if (event.kind !== "tool.result" || event.tool !== "code.run") return;
      const { stdout, stderr } = event.value as {
        readonly stdout: string;
        readonly stderr: string;
      };
      outputs.push(`${stdout}${stderr}`);
    });
    expect(await run.output).toEqual({ report: "done" });
    expect(outputs[0]).toBe("one\ntwo\n");
    expect(outputs[1]).toContain("own\nmore\n");
    expect(readFileSync(join(root, "docs/song.md"), "utf8")).toBe("one\n");
    // Nothing that a link leads to has changed hands, and nothing of the root.
    const own = process.getuid?.();
    expect([outside, root, join(root, "docs/song.md")].map((path) => statSync(path).uid)).toEqual([
      ...[own, own, own],
    ]);
  },
);

test("M38 without bubblewrap nothing runs, unless the program says so, and the result shows it", async () => {
  vi.stubEnv("PATH", "/nowhere");
  onTestFinished(() => void vi.unstubAllEnvs());
  const marker = join(temporaryFolder(), "ran");
  await expect(run("shell", `touch '${marker}'`)).rejects.toMatchObject({
    code: "M8330",
    message: expect.stringContaining("apt install bubblewrap"),
  });
  expect(existsSync(marker)).toBe(false);
  vi.stubEnv("PATH", "/usr/bin:/bin");
  const open = await run("shell", `touch '${marker}'; echo $HOME`, { sandbox: "open" });
  expect(open).toMatchObject({ exitCode: 0, sandbox: "open" });
  expect([existsSync(marker), open.stdout.includes("madrigal-code-")]).toEqual([true, true]);
});

test("M38 open code is stopped with its process group, too", async () => {
  const options: CodeToolsOptions = { sandbox: "open", timeoutMs: 1000 };
  const result = await run("shell", "sleep 600 & echo $!; sleep 600", options);
  expect(result).toMatchObject({ exitCode: 124 });
  expect(isRunning(result.stdout.trim())).toBe(false);
});

sandboxed("an abort kills all that runs and rejects with its reason", async () => {
  const cwd = join(temporaryFolder(), "work");
  const abort = new AbortController();
  const context = {
    signal: abort.signal,
    idempotencyKey: "k",
    artifact: async () => ({}) as never,
  };
  const running = createCodeTools({ cwd }).run(
    { language: "shell", code: "touch begun; sleep 600; touch ended" },
    context,
  );
  await vi.waitUntil(() => existsSync(join(cwd, "begun")));
  abort.abort(new Error("enough"));
  await expect(running).rejects.toThrow("enough");
  expect(readdirSync(cwd)).toEqual(["begun"]);
});

/** One that was killed may wait for somebody to ask how it ended. */
function isRunning(pid: string): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

// ── blocks ──────────────────────────────────────────────────────────────────────────────────────

test("M35 blocks are found by their fences and languages", () => {
  const text = `Two steps:
1. first
   \`\`\`py title="a.py"
   if True:
       print(1)
   \`\`\`
\`\`\`\`Bash
echo "\`\`\`"
\`\`\`\`
\`\`\`text
no code
\`\`\`
\`\`\`
nor this
\`\`\`
~~~ts
let a: 1
~~~
\`\`\`sh
cut off`;
  expect(codeBlocks(text)).toEqual([
    { language: "python", code: "if True:\n    print(1)\n" },
    { language: "shell", code: 'echo "```"\n' },
    { language: "typescript", code: "let a: 1\n" },
  ]);
});

sandboxed(
  "M35 M36 blocks run in their order in one folder, up to the first that fails",
  async () => {
    const { runBlocks } = createCodeTools();
    const text =
      "```py\nopen('a.txt', 'w').write('hi')\n```\n```sh\ncat a.txt; exit 3\n```\n```js\nconsole.log(1)\n```";
    const result = await runBlocks({ text });
    expect(result).toMatchObject({ exitCode: 3, blocks: 3, ran: 2, files: [{ path: "a.txt" }] });
    expect(result.text).toBe(
      "Block 1 of 3 (python) ended with exit code 0 and wrote nothing.\n\nBlock 2 of 3 (shell) ended with exit code 3:\nhi\n\nFiles: a.txt (2 bytes)",
    );
    expect(await runBlocks({ text: "All is done." })).toMatchObject({
      exitCode: 0,
      blocks: 0,
      text: "There is no block of code to run.",
    });
  },
);

// ── runs ────────────────────────────────────────────────────────────────────────────────────────

const text = `model m = "scripted"
config { guard: { approve: "conservative" } }
graph Work() returns answer {
  state { answer: string }
  agent work { model m; tools code.run; prompt \`x\`; writes answer; limit 9 turns }
  start -> work -> end
}`;

function work(
  code: ReturnType<typeof createCodeTools>,
  ...calls: readonly Readonly<Record<string, string>>[]
) {
  const turns = calls.map((input) => ({ calls: [{ tool: "code.run", input }] }));
  return ask(text, { scope: { code }, models: { m: scripted({ work: [...turns, "done"] }) } });
}

sandboxed(
  "the guard asks about code, allows shell lines that only read, and denies those that destroy",
  async () => {
    const { run, session } = work(
      createCodeTools(),
      { language: "shell", code: "ls -la" },
      { language: "shell", code: "rm -rf /" },
      { language: "python", code: "print(1)" },
    );
    await run.settled();
    expect(run.interrupts).toMatchObject([{ tool: "code.run", shown: { language: "python" } }]);
    await run.answer(run.interrupts[0]?.id ?? "", { kind: "deny", reason: "not now" });
    expect(await run.output).toEqual({ answer: "done" });
    const rows = await (await session.traces()).query(
      `SELECT decision, decided_by FROM guard_decisions WHERE run_id = '${run.id}' ORDER BY seq`,
    );
    expect([...rows].map((row) => Object.values(row))).toEqual([
      ["allow", "baseline"],
      ["deny", "classifier"],
      ["deny", "person"],
    ]);
  },
);

test("where a program says so code runs open, and is always asked about under a guard that asks", async () => {
  const { run } = work(createCodeTools({ sandbox: "open" }), {
    language: "python",
    code: "print(1)",
  });
  await run.settled();
  expect(run.interrupts).toMatchObject([{ tool: "code.run" }]);
});

sandboxed(
  "the trace has the call with its code, exit code, limits and files, and a replay runs nothing",
  async () => {
    const cwd = join(temporaryFolder(), "work");
    mkdirSync(cwd);
    const code = "echo run >> runs.txt; exit 4";
    const { run, session } = work(createCodeTools({ cwd, effect: "workspace" }), {
      language: "shell",
      code,
    });
    await run.settled();
    await run.answer(run.interrupts[0]?.id ?? "", { kind: "approve" });
    expect(await run.output).toEqual({ answer: "done" });
    const [row] = await (await session.traces()).query(
      `SELECT request, result FROM tool_calls WHERE run_id = '${run.id}'`,
    );
    expect(row?.request).toEqual({ language: "shell", code });
    expect(row?.result).toMatchObject({
      ...{ exitCode: 4, sandbox: "bwrap", limits: { processesMax: 64, timeoutMs: 30_000 } },
      files: [{ path: "runs.txt", bytes: 4 }],
    });
    const [artifact] = run.artifacts;
    expect(Buffer.from(run.artifact(artifact?.id ?? "")).toString()).toBe("run\n");
    expect(run.replay()).toMatchObject({ ok: true });
    expect(readFileSync(join(cwd, "runs.txt"), "utf8")).toBe("run\n");
  },
);
