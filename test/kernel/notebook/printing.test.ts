/** Exports of a notebook: PDF and pictures by a real Chromium, unchanged outputs that are kept, coloured code. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test as baseTest, expect, vi } from "vitest";
import type { NotebookFile } from "../../../kernel/notebook/notebook.ts";
import { colouredCode } from "../../../kernel/notebook/page/colour-code.ts";
import { withPictures, writePdf } from "../../../kernel/notebook/page/print-page.ts";
import { keepUnchanged } from "../../../kernel/notebook/stable-outputs.ts";
import { temporaryFolder } from "../../support/child.ts";
import { CHROMIUM, missing } from "../../support/python-env.ts";

const reason = await missing("chromium");
const test = baseTest.skipIf(reason !== undefined);
const env = { PATH: "", MADRIGAL_BROWSER: CHROMIUM };

const cellOf = (source: string, data: Readonly<Record<string, unknown>>) => ({
  id: "a",
  cell_type: "code" as const,
  metadata: {},
  source,
  execution_count: 1,
  outputs: [{ output_type: "display_data" as const, data, metadata: {} }],
});
const notebookOf = (...cells: NotebookFile["cells"]): NotebookFile => ({ metadata: {}, cells });
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="#ff0000"/></svg>';

test("a notebook is a PDF, and each drawing has a PNG beside its SVG", async () => {
  const outDir = join(temporaryFolder(), "out");
  mkdirSync(outDir);
  const notebook = notebookOf(cellOf("1 + 1", { "image/svg+xml": SVG, "text/plain": "red" }));
  const path = await writePdf(notebook, { file: "red.ipynb", outDir, env });
  expect(readFileSync(path).subarray(0, 5).toString()).toBe("%PDF-");
  const pictured = await withPictures(notebook, env);
  const [cell] = pictured.cells as ReturnType<typeof cellOf>[];
  const png = Buffer.from(String(cell?.outputs[0]?.data["image/png"]), "base64");
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  // Twice as large, for sharp screens.
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([80, 40]);
  await expect(
    writePdf(notebook, { file: "red.ipynb", outDir, env: { PATH: "", MADRIGAL_BROWSER: "/none" } }),
  ).rejects.toMatchObject({ code: "M7707" });
  const silent = join(outDir, "silent");
  writeFileSync(silent, "#!/bin/sh\necho gone >&2\n", { mode: 0o755 });
  await expect(
    writePdf(notebook, {
      file: "red.ipynb",
      outDir,
      env: { PATH: "/bin", MADRIGAL_BROWSER: silent },
    }),
  ).rejects.toThrow("the browser has printed nothing: gone");
});

const [one, other] = [
  "0198f5a2-7c31-7000-8000-0123456789ab",
  "0198f5a2-7c31-7000-8000-ba9876543210",
];
const drawn = (id: string, ms: number, word: string) => ({
  "application/vnd.madrigal.run+json": { run_id: id, nodes: [{ duration_ms: ms }] },
  "text/plain": `run ${id} of Ask: ${word} in ${ms} ms at 2026-01-0${ms % 9} 10:00:00`,
});
const chartOf = (title: unknown, row: Readonly<Record<string, unknown>>) => ({
  "application/vnd.vegalite.v5+json": { title, data: { values: [row] } },
});

baseTest("a browser that hangs is ended with all that it started", async () => {
  const outDir = temporaryFolder();
  // It writes what it is told to write only when it is over, and its child holds its output open.
  const program = join(outDir, "hangs");
  const pids = join(outDir, "pids");
  const code = `const { spawn } = require("node:child_process");
const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" });
require("node:fs").writeFileSync(${JSON.stringify(`${pids}.new`)}, process.pid + " " + child.pid);
require("node:fs").renameSync(${JSON.stringify(`${pids}.new`)}, ${JSON.stringify(pids)});
setInterval(() => {}, 1000);`;
  writeFileSync(`${program}.cjs`, code);
  // The path of Node may have a space, which a first line `#!` can't.
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${program}.cjs"\n`, {
    mode: 0o755,
  });
  const stop = new AbortController();
  const printing = writePdf(notebookOf(cellOf("1", { "text/plain": "1" })), {
    file: "a.ipynb",
    outDir,
    env: { PATH: "", MADRIGAL_BROWSER: program },
    stop: stop.signal,
  });
  printing.catch(() => {});
  await vi.waitFor(() => readFileSync(pids), { timeout: 60_000 });
  stop.abort();
  await expect(printing).rejects.toThrow(
    "the browser has printed nothing: it was not done in time",
  );
  const [own = "", child = ""] = readFileSync(pids, "utf8").split(" ");
  for (const pid of [own, child])
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 60_000 });
});

/** A process that nobody has waited for yet is none that runs. */
function isRunning(pid: string): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

baseTest.each([
  ["a drawing of a run", drawn(one, 12, "ok"), drawn(other, 345, "ok"), "kept"],
  ["another word in it", drawn(one, 12, "ok"), drawn(other, 345, "failed"), "new"],
  ["an id in a user's text", { "text/plain": one }, { "text/plain": other }, "kept"],
  ["a user's text", { "text/plain": "'took 3 s'" }, { "text/plain": "'took 5 s'" }, "new"],
  [
    "a user's dates",
    { "text/plain": "2026-01-01 10:00:00" },
    { "text/plain": "2026-01-02 10:00:00" },
    "new",
  ],
  [
    "what %%time shows",
    { "text/plain": "3.00 s · 1.2k tokens" },
    { "text/plain": "5 ms · 1.2k tokens" },
    "kept",
  ],
  [
    "other tokens there",
    { "text/plain": "3.00 s · 1.2k tokens" },
    { "text/plain": "5 ms · 9 tokens" },
    "new",
  ],
  [
    "what %timeit shows",
    { "text/plain": "3 µs ± 1 ns each (5 × 10 times)" },
    { "text/plain": "4 µs ± 2 ns each (5 × 100 times)" },
    "kept",
  ],
  ...["seconds", "duration_ms", "begin_s", "end_s", "critical"].flatMap((key) => {
    const [then, now] = key === "critical" ? [true, false] : [3, 5];
    const runs = {
      text: "When each node ran",
      subtitle: ["run 0123abcd of Ask · succeeded · no model called"],
    };
    return [
      [
        `${key} of a chart of runs`,
        chartOf(runs, { [key]: then }),
        chartOf(runs, { [key]: now }),
        "kept",
      ],
      [
        `${key} of a user's chart`,
        chartOf("Laps", { [key]: then }),
        chartOf("Laps", { [key]: now }),
        "new",
      ],
      [
        `${key} of a user's JSON`,
        { "application/json": { [key]: then } },
        { "application/json": { [key]: now } },
        "new",
      ],
    ] as const;
  }),
] as const)(
  "--stable: of %s the output is kept only where no value of the user has changed",
  async (_, then, now, which) => {
    const [before, after] = [notebookOf(cellOf("a", then)), notebookOf(cellOf("a", now))];
    const { cells } = await keepUnchanged(after, before);
    expect(cells).toEqual(which === "kept" ? before.cells : after.cells);
  },
);

baseTest.each([
  [
    "const x = 'a<b'; // two",
    /nb-word">const<.*nb-string">&#39;a&#60;b&#39;<.*nb-comment">\/\/ two</,
  ],
  [
    "%%sql\nselect 1 -- <b>",
    /nb-magic">%%sql<[\s\S]*nb-word">select<.*nb-number">1<.*nb-comment">-- &#60;b&#62;</,
  ],
  [
    "graph Ask(q: string) returns a {\n  agent go { limit 1m }\n}",
    /nb-word">graph<[\s\S]*nb-word">agent<[\s\S]*nb-word">limit<.*nb-number">1m</,
  ],
  ["!ls -la # all", /nb-comment"># all</],
])("%j is coloured, and its text is the code", (code, pattern) => {
  const html = colouredCode(code);
  expect(html).toMatch(pattern);
  const plain = html
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&#(\d+);/g, (_, at) => String.fromCodePoint(Number(at)));
  expect(plain).toBe(code);
});
