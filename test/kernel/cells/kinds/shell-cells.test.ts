/** Commands of a shell in cells, and the magics of the folder, the variables and the names. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { classify } from "../../../../kernel/cells/kinds/classify.ts";
import { temporaryFolder } from "../../../support/child.ts";
import { openTestNotebook, useTypes } from "../notebook.ts";

useTypes();

test.each([
  ["%%bash\nls", "shell"],
  ["!ls", "shell"],
  ["! ls -la", "shell"],
  ["!ls ..", "shell"],
  ["!ls | head -3", "shell"],
  ["!isOpen || count", "typescript"],
  ["!cat ./notes.md", "shell"],
  ["!git log --oneline\n!git status", "shell"],
  ["!isOpen && count > 0", "typescript"],
  ["!isOpen()", "typescript"],
  ["!list.length", "typescript"],
  ["!a ? b : c", "typescript"],
  ["!a === b", "typescript"],
  ["!ls\nconst a = 1", "typescript"],
  ["", "typescript"],
])("the kind of %j is %s", (code, kind) => {
  expect(classify(code).kind).toBe(kind);
});

test("what commands write is shown as it comes, stderr too", async () => {
  const notebook = openTestNotebook();
  expect(await notebook.run("%%bash\necho '1\n2'")).toMatchInlineSnapshot(`
    "stdout 1
    2"
  `);
  expect(await notebook.run("!echo a b")).toMatchInlineSnapshot(`"stdout a b"`);
  expect(await notebook.run("!echo wrong 1>&2")).toMatchInlineSnapshot(`"stderr wrong"`);
  expect(await notebook.run("%%bash\ntrue")).toBe("");
});

test("a command that fails fails its cell", async () => {
  const notebook = openTestNotebook();
  expect(await notebook.run("%%bash\necho before\nexit 3")).toMatchInlineSnapshot(`
    "stdout before
    error M7518: the command ended with exit code 3
    error[M7518]: the command ended with exit code 3
      hint: what it wrote stands above"
  `);
  expect(await notebook.run("%%bash\nkill -9 $$")).toContain("M7518: the command ended by SIGKILL");
  expect(await notebook.run("!isNowhere")).toContain("TypeScript is `(!isNowhere)`");
  expect(await notebook.run("%%bash\n")).toContain("there is no command below `%%bash`");
  expect(await notebook.run("npm install zod")).toContain("`!npm install zod`");
});

test("a cell that is cancelled ends its command and all that it started", async () => {
  const notebook = openTestNotebook();
  const file = join(temporaryFolder(), "pids");
  const running = notebook.run(`%%bash\nsleep 600 &\necho $! $$ > ${file}\necho begun\nwait`);
  await notebook.saw("begun");
  notebook.cancel();
  expect(await running).toContain("cancelled");
  const pids = readFileSync(file, "utf8").trim().split(" ").map(Number);
  expect(pids).toHaveLength(2);
  await vi.waitFor(() => {
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow();
  }, 20_000);
});

test("%cd changes the folder, and says where a folder is not", async () => {
  const before = process.cwd();
  onTestFinished(() => process.chdir(before));
  const folder = temporaryFolder();
  mkdirSync(join(folder, "songs"));
  const notebook = openTestNotebook();
  expect(await notebook.run(`%cd ${folder}`)).toContain(folder);
  expect(await notebook.run("%cd songs")).toContain(join(folder, "songs"));
  expect(await notebook.run("!pwd")).toContain(join(folder, "songs"));
  expect(await notebook.run("%cd nowhere")).toContain("M7519");
  expect(await notebook.run("%cd")).toContain(join(folder, "songs"));
});

test("%env sets and shows variables, and hides secrets", async () => {
  vi.stubEnv("SONG", "swan");
  vi.stubEnv("MY_API_KEY", "0123456789abcdef0123");
  onTestFinished(() => void vi.unstubAllEnvs());
  const notebook = openTestNotebook();
  expect(await notebook.run("%env SONG")).toContain("swan");
  expect(await notebook.run("%env SONG=cuckoo")).toContain("cuckoo");
  expect(await notebook.run("process.env.SONG")).toContain("cuckoo");
  expect(await notebook.run("%env MY_API_KEY")).toContain("(set, hidden)");
  expect(await notebook.run("%env NONE_OF_THESE")).toContain("(not set)");
  const all = await notebook.run("%env");
  expect(all).toContain("SONG");
  expect(all).not.toContain("0123456789abcdef0123");
});

test("%who lists the names of cells, and calls nothing of them", async () => {
  const notebook = openTestNotebook();
  expect(await notebook.run("%who")).toContain("no cell has declared a name");
  await notebook.run(`const n = 3
const list = [1, 2, 3]
class Song { title = "Swan" }
const song = new Song()
const evil = { get never() { throw new Error("called") } }
function shout(text: string) { return text }
`);
  expect(await notebook.run("%who")).toMatchInlineSnapshot(`
    "result [text/html, text/markdown] name   type        value
    Song   function    [class Song]
    evil   Object      { never: [Getter] }
    list   array of 3  [ 1, 2, 3 ]
    n      number      3
    shout  function    [Function: shout]
    song   Song        Song { title: 'Swan' }
    6 rows"
  `);
  expect(await notebook.run("%who so")).toContain("song");
  expect(await notebook.run("%who zzz")).toContain("no name has `zzz` in it");
});
