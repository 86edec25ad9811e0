/** The charts of runs, each over generated runs: one mark a row, read in light and in dark, in words too. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PALETTE, STEPS, TONES } from "../../../kernel/display/chart/config.ts";
import { DARK } from "../../../kernel/display/chart/theme.ts";
import {
  CHARTS,
  type Chart,
  sentinelChecks,
  toBundle,
  waterfall,
} from "../../../kernel/display/index.ts";
import { closeSession, useSession } from "../../../kernel/session.ts";
import type { Session } from "../../../runtime/index.ts";
import type { TraceStore } from "../../../runtime/trace/trace-store.ts";
import { generatedTraces } from "../../support/traces/fill-traces.ts";
import { watchRun } from "../../support/traces/watch-run.ts";
import { contrast, groundsOf } from "./contrast.ts";
import { expectHarmless } from "./hostile.ts";
import { renderedMarks } from "./marks.ts";
import { faultOf } from "./well-formed.ts";

const MIMES = ["application/vnd.vegalite.v5+json", "image/svg+xml", "text/plain"];

const folder = mkdtempSync(join(tmpdir(), "madrigal-charts-"));
let traces: TraceStore;
/** Runs of a node with `every`. */
const WATCHES = { ended: "watch-ended", open: "watch-open", long: "watch-long" };
let [first, second, open] = ["", "", ""];

beforeAll(async () => {
  const startedAt = Date.UTC(2027, 2, 2);
  const watches = [
    watchRun({ runId: WATCHES.ended, startedAt, checks: 24 }),
    watchRun({ runId: WATCHES.open, startedAt, checks: 7, isOpen: true }),
    watchRun({ runId: WATCHES.long, startedAt, checks: 500 }),
  ];
  traces = await generatedTraces({ folder, seed: 5, runs: 120, watches });
  useSession({
    findRunId: async (word: string) => word,
    traces: async () => traces,
    close: () => traces.close(),
  } as unknown as Session);
  const rows = await traces.query("SELECT run_id, status FROM runs ORDER BY ts");
  const ended = rows.filter(({ status }) => status === "succeeded");
  [first, second] = [String(ended[0]?.run_id), String(ended[1]?.run_id)];
  open = String(rows.find(({ status }) => status === "running")?.run_id);
});
afterAll(async () => {
  await closeSession();
  rmSync(folder, { recursive: true, force: true });
});

function chartOf(name: string, run = first): Chart {
  const named = CHARTS[name];
  switch (named?.of) {
    case "run":
      if (name !== "sentinel-checks") return named.make(run);
      return named.make(run === open ? WATCHES.open : WATCHES.ended);
    case "runs":
      return named.make(undefined);
    case "timed runs":
      return named.make(undefined, { by: "model" });
    case "two":
      return named.make(run, second);
    case "step":
      return named.make(run, 2);
    case undefined:
      throw new Error(`no chart ${name}`);
  }
}

const NAMES = Object.keys(CHARTS);

describe.each(NAMES)("%s", (name) => {
  test("has one mark for each row of its question, and no HTML", async () => {
    const chart = chartOf(name);
    const bundle = await toBundle(chart);
    expect(Object.keys(bundle.data)).toEqual(MIMES);
    expect(faultOf(String(bundle.data["image/svg+xml"]))).toBeUndefined();
    expectHarmless(bundle);
    const rows = await chart.rows();
    expect(rows.length).toBeGreaterThan(0);
    expect(await renderedMarks(bundle.data[MIMES[0] ?? ""])).toBe(rows.length);
  });

  test("says in words what it shows, of which runs, and whose answers they are", async () => {
    const { text, svg } = await chartOf(name).drawing();
    expect(text).toContain("answers by a script, not a model");
    expect(text).toMatch(/Generated(Search|Watch)/);
    expect(svg).toMatch(/<title>[^<]+<\/title><desc>[^<]+<\/desc>/);
    // A table of its figures stands below.
    expect(text).toMatch(/\n\n *\S.*\n/);
  });

  test("is no wider than a cell, its legend too, and never wider than the page", async () => {
    const { svg } = await chartOf(name).drawing();
    const [, width] = /<svg [^>]*?width="([\d.]+)"/.exec(svg) ?? [];
    expect(Number(width)).toBeGreaterThan(150);
    expect(Number(width)).toBeLessThanOrEqual(702);
    expect(svg).toMatch(/^<svg [^>]*viewBox="[^"]+"[^>]*style="max-width:100%;height:auto"/);
  });

  test("is read in light and in dark: 4.5 for text, 3 for marks", async () => {
    const { svg } = await chartOf(name).drawing();
    const seen = groundsOf(svg);
    expect(new Set(seen.map(({ kind }) => kind)).size).toBe(2);
    for (const { kind, colour, ground, what } of seen) {
      const least = kind === "text" ? 4.5 : 3;
      for (const theme of ["light", "dark"] as const) {
        const [front, behind] = [colour, ground].map((light) =>
          theme === "light" ? light : (DARK.get(light) ?? ""),
        );
        expect(
          contrast(front ?? "", behind ?? ""),
          `${theme} ${kind} ${what}: ${front} on ${behind}`,
        ).toBeGreaterThanOrEqual(least);
      }
    }
  });
});

test.each(NAMES.filter((name) => CHARTS[name]?.of === "run"))(
  "%s of a run that is still under way",
  async (name) => {
    const { text } = await chartOf(name, open).drawing();
    expect(text).toContain("· running ·");
  },
);

test("every colour that tells things apart has a dark one, and both are seen on their card", () => {
  for (const colour of [...PALETTE, ...STEPS, ...Object.values(TONES)]) {
    expect(contrast(colour, "#ffffff")).toBeGreaterThanOrEqual(3);
    expect(contrast(DARK.get(colour) ?? "", DARK.get("#ffffff") ?? "")).toBeGreaterThanOrEqual(3);
  }
});

test("calls whose price nobody knows are told, not drawn as free", async () => {
  const { text } = await chartOf("cost").drawing();
  expect(text).toMatch(/no known price, and so not drawn: \d+ calls of generated\/unpriced/);
  for (const { cost_usd } of await chartOf("cost").rows()) expect(cost_usd).toBeGreaterThan(0);
});

test("the checks of a sentinel: how it ended or what is due, what came late, a mark for each of 500", async () => {
  const drawn = async (run: string) => await sentinelChecks(run).drawing();
  expect((await drawn(WATCHES.ended)).text).toContain(
    "watch: 24 checks in 42 h 1 min, then its condition was met\nthick: overdue, as while the run was paused; 4 h 1 min in all",
  );
  expect((await drawn(WATCHES.open)).text).toContain(
    "watch: 7 checks in 13 h 10 min, the next is due at 2027-03-03 01:09:56\n",
  );
  expect((await drawn(first)).text).toContain("no check of a node with `every` yet");
  const { spec, svg, text } = await drawn(WATCHES.long);
  expect(await renderedMarks(spec)).toBe(500);
  expect(text).toContain("500 checks in 37 d 21 h");
  for (const tick of ["5 min", "1 h", "6 h"]) expect(svg).toContain(`>${tick}</text>`);
});

test("the same question gives the same bytes", async () => {
  const bytes = async () => JSON.stringify(await chartOf("waterfall").toMimeBundle());
  expect(await bytes()).toBe(await bytes());
});

test("a run that is not traced, a step that is none, and no runs at all are told so", async () => {
  const step = CHARTS["state-diff"];
  const some = CHARTS.tokens;
  if (step?.of !== "step" || some?.of !== "runs") throw new Error("other charts");
  const code = (value: string) => expect.objectContaining({ code: value });
  await expect(toBundle(waterfall("nothing"))).rejects.toEqual(code("M7606"));
  await expect(toBundle(step.make(first, 999))).rejects.toEqual(code("M7613"));
  expect(() => some.make([])).toThrowError(code("M7612"));
});
