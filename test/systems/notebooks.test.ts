/** The notebooks of the systems: what each is stored with is what comes of it in a real kernel, beside its own files. */
import { cpSync, globSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { comparable } from "../../kernel/notebook/comparable-outputs.ts";
import { isCode, type NotebookFile, type Output } from "../../kernel/notebook/notebook.ts";
import { readNotebook } from "../../kernel/notebook/read-notebook.ts";
import { exitCode, workspace } from "../kernel/cli/calling.ts";
import { madrigal, projectRoot } from "../support/child.ts";
import { missing } from "../support/python-env.ts";

// Real kernels on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const folder = join(projectRoot, "notebooks/systems");

function read(file: string): NotebookFile {
  return readNotebook(readFileSync(file, "utf8"), file);
}

const systems = ["aworld-deep-search", "agent-world", "shared-state", "eko", "magentic"] as const;

/** What the outputs of a notebook show, by the rows of requirements. */
const SHOWN = [
  [
    "W01 W09 W10 W13 W14 W23 W33 W37 W43 W51 [NB] contexts, memories, sub-contexts, plans and trajectories",
    "aworld-deep-search",
  ],
  ["roles over one state", "shared-state"],
  ["a plan that streams in, and is done", "eko"],
  [
    "A03 A05 A58 A70 A71 A84 A90 A117 [NB] strong agents by rule and behind recorded wires, killed and recovered",
    "agent-world",
  ],
  [
    "M41 M42 M46 M61 M93 M94 M101 M120 M126 [NB] plans made with a person, carried out, watched, mended and remembered",
    "magentic",
  ],
] as const;

const WIRES = "test/support/agents";

const noBrowser = await missing("chromium");

/** Why the notebook of a system can't run on this machine. */
const LACKING: Readonly<Record<string, string | undefined>> = {
  "aworld-deep-search": noBrowser,
  magentic: noBrowser ?? (await missing("bubblewrap")),
};

test.for(SHOWN)(
  "%s: the outputs of the notebook of %s are the stored ones",
  async ([, system], context) => {
    context.skip(LACKING[system] !== undefined, LACKING[system]);
    const home = workspace({ "package.json": '{ "type": "module" }\n' });
    symlinkSync(join(projectRoot, "node_modules"), join(home, "node_modules"));
    cpSync(join(folder, system), join(home, system), { recursive: true });
    // The recorded wires are looked for above the notebook.
    cpSync(join(projectRoot, WIRES), join(home, WIRES), { recursive: true });
    const name = `${system}.ipynb`;
    const ended = await madrigal(["exec", join(system, name), "--out", "out"], { home });
    expect(exitCode(ended), ended.stderr).toBe(0);
    const executed = await comparable(withoutDrawings(read(join(home, "out", name))), home);
    const stored = withoutDrawings(read(join(folder, system, name)));
    expect(executed).toEqual(await comparable(stored, projectRoot));
  },
);

/** A drawing of a run has durations in its layout, and a session its id and address; their words stand beside them. */
function withoutDrawings(notebook: NotebookFile): NotebookFile {
  const cells = notebook.cells.map((cell) =>
    isCode(cell) ? { ...cell, outputs: cell.outputs.map(withoutDrawing) } : cell,
  );
  return { ...notebook, cells };
}

function withoutDrawing(output: Output): Output {
  if (!("data" in output)) return output;
  const { data } = output;
  if ("application/vnd.madrigal.run+json" in data)
    return { ...output, data: { ...data, "image/svg+xml": "drawn" } };
  if (!String(data["text/html"]).includes('class="madrigal-session')) return output;
  const words = String(data["text/plain"])
    .replaceAll(/session [0-9a-f]{8}/g, "session ID")
    .replaceAll(/(?<=127\.0\.0\.1:)\d+/g, "PORT")
    .replaceAll(/\d+\.\d\ds\b/g, "TIME");
  return { ...output, data: { "text/plain": words } };
}

test.each(systems)("%s: its notebook shows its programs as they are", (system) => {
  const cells = read(join(folder, system, `${system}.ipynb`))
    .cells.filter(isCode)
    .map(({ source }) => source);
  for (const program of globSync("*.madrigal", { cwd: join(folder, system) })) {
    const text = readFileSync(join(folder, system, program), "utf8");
    // Tests name their graph by an import, which a cell does not need.
    const shown = text.replace(/^import \{ [\w, ]+ \} from "\.\/[\w-]+\.madrigal"\n+/, "");
    expect(cells, program).toContain(shown.trimEnd());
  }
});

test.each(systems)("%s: its notebook has each part that a newcomer looks for", (system) => {
  const cells = read(join(folder, system, `${system}.ipynb`)).cells.filter(isCode);
  const shown = JSON.stringify(cells.map(({ outputs }) => outputs));
  expect(shown).toMatch(/(\d+) of \1 arrows/);
  expect(shown).toMatch(/answers by (rules|a script), not a model/);
  const sources = cells.map(({ source }) => source).join("\n");
  for (const part of ["setBreakpoint", ".fork(", "%%sql", "--coverage"])
    expect(sources).toContain(part);
  const charts = shown.split('"application/vnd.vegalite.v5+json"').length - 1;
  expect(charts).toBeGreaterThanOrEqual(2);
});
