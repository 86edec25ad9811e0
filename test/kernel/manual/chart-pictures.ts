/** The pictures of the manual's page about charts: what its examples draw of generated runs. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as display from "../../../kernel/display/index.ts";
import { useSession } from "../../../kernel/session.ts";
import type { Session } from "../../../runtime/index.ts";
import { projectRoot } from "../../support/child.ts";
import { generatedTraces } from "../../support/traces/fill-traces.ts";
import { watchRun } from "../../support/traces/watch-run.ts";

export const PICTURES = join(projectRoot, "notebooks/pictures/charts");

const PAGE = join(projectRoot, "kernel/manual/charts.md");

export interface Example {
  readonly name: string;
  readonly code: string;
  readonly command: string;
  readonly picture: string;
}

/** Each section of the page that is about one chart. */
export function examples(): readonly Example[] {
  const sections =
    /^## ([\w-]+)\n\n[^#]*?```ts\n(.*)\n```\n\n`(madrigal chart .*)`\n\n!\[\1\]\(\.\.\/\.\.\/notebooks\/pictures\/charts\/([\w.-]+)\)/gm;
  return [...readFileSync(PAGE, "utf8").matchAll(sections)].map(
    ([, name = "", code = "", command = "", picture = ""]) => ({ name, code, command, picture }),
  );
}

const WATCH = "019cae3a-0000-7000-8000-0000000a7c41";

/** What each example draws, by the name of its picture. */
export async function pictures(): Promise<ReadonlyMap<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), "madrigal-pictures-"));
  const traces = await generatedTraces({ folder, seed: 5, runs: 120 });
  // This run has a store of its own, since charts of all runs are of one graph.
  const watches = await generatedTraces({
    folder: mkdtempSync(join(folder, "watches-")),
    seed: 5,
    runs: 0,
    watches: [watchRun({ runId: WATCH, startedAt: Date.UTC(2026, 2, 2, 9), checks: 24 })],
  });
  let shown = traces;
  useSession({
    findRunId: async (word: string) => word,
    traces: async () => shown,
  } as unknown as Session);
  try {
    const rows = await traces.query(
      "SELECT run_id FROM runs WHERE status = 'succeeded' ORDER BY ts",
    );
    const [a, b] = rows.map(({ run_id }) => String(run_id));
    const drawn = new Map<string, string>();
    for (const { code, picture } of examples()) {
      shown = code.includes("watch") ? watches : traces;
      const { svg } = await evaluated(code, { run: a, a, b, watch: WATCH }).drawing();
      drawn.set(picture, svg);
    }
    return drawn;
  } finally {
    await traces.close();
    await watches.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** As a cell would have it; the code is the page's own. */
function evaluated(code: string, names: Readonly<Record<string, unknown>>): display.Chart {
  const all = { ...display, ...names };
  return new Function(...Object.keys(all), `return ${code};`)(...Object.values(all));
}
