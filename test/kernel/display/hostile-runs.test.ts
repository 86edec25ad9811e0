/** A run that says hostile things wherever a run can say something: in no table, chart, drawing or file does one of them act. */
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Bundle } from "../../../kernel/cell-output.ts";
import {
  queryRows,
  stateSize,
  toBundle,
  tokensByAgent,
  waterfall,
} from "../../../kernel/display/index.ts";
import { currentSession } from "../../../kernel/session.ts";
import { type DrivenRun, scripted, tool } from "../../../runtime/index.ts";
import { temporaryFolder } from "../../support/child.ts";
import { expectHarmless, HOSTILE } from "./hostile.ts";
import { bundleIn, follow, graphOf } from "./runs.ts";

const OWN = [
  "=cmd|' /C calc'!A0",
  "'); DROP TABLE runs; DELETE FROM event_log; --",
  '" UNION SELECT * FROM meta --',
  "@SUM(1+1)*cmd|' /C calc'!A0",
  '{"signal":"alert(1)"}',
  "datum.constructor.constructor('alert(1)')()",
  "${alert(1)} `alert(1)`",
];

const TEXT = `graph Hostile(said: string) returns report, parts {
  state {
    report: string = ""
    parts: string[] = [] via append
    heard: string = ""
  }
  agent ask { model m; tools look; prompt \`Say \${said}\`; writes report; tell keep }
  run keep = kept(said, inbox) writes parts
  run fail = failing(said) writes heard
  start -> ask -> keep -> fail -> end
}`;

interface Context {
  artifact(options: object): Promise<unknown>;
}

async function ended(said: string): Promise<{ run: DrivenRun; outputs: readonly Bundle[] }> {
  const graph = await graphOf(TEXT, {
    look: tool((text: string) => `${text}${said}`, {
      effect: "none",
      description: "looks",
      input: { type: "object" },
    }),
    kept: async (text: string, inbox: readonly unknown[], ctx: Context) => {
      await ctx.artifact({ name: text.slice(0, 60), kind: "file", data: text });
      return [text, JSON.stringify(inbox)];
    },
    failing: (text: string) => {
      throw new Error(text);
    },
  });
  const script = { ask: [{ calls: [{ tool: "look", input: { text: said } }] }, said] };
  const run = graph.run({ said }, { models: { m: scripted(script) } }) as unknown as DrivenRun;
  const { outputs, tick } = follow(run);
  await run.output.catch(() => {});
  tick();
  return { run, outputs: outputs.map(bundleIn) };
}

const VIEWS = `SELECT table_name AS name FROM information_schema.tables
WHERE table_schema = 'main' AND table_catalog = current_database() ORDER BY 1`;

test.each([HOSTILE.join("\n"), OWN.join("\n")])(
  "a run that says hostile things, %#",
  async (said) => {
    const { run, outputs } = await ended(said);
    expect(run.status).toBe("failed");
    for (const bundle of outputs) expectHarmless(bundle);
    for (const shown of [run, run.steps, run.steps[0]]) expectHarmless(await toBundle(shown));
    const traces = await currentSession().traces();
    const views = await traces.query(VIEWS);
    const telling: unknown[] = [];
    for (const { name } of views) {
      const sql = `SELECT * FROM "${name}" LIMIT 30`;
      const rows = await queryRows(traces, { sql, params: [] });
      const isTold = JSON.stringify(rows).includes("alert(1)");
      if (isTold) telling.push(name);
      if (isTold) expectHarmless(await toBundle(rows));
      expectNoFormulas(rows.csv());
    }
    const places = [
      "event_log",
      "events",
      "llm_calls",
      "tool_calls",
      "messages",
      "state_changes",
      "runs",
    ];
    expect(telling).toEqual(expect.arrayContaining(places));
    for (const chart of [waterfall(run), stateSize(run), tokensByAgent(run)])
      expectHarmless({ data: await chart.toMimeBundle(), metadata: {} });
    // What was asked and said has written nothing.
    expect(await traces.query("SELECT count(*) AS n FROM runs")).toEqual([{ n: 1 }]);
  },
);

test("names and values of columns are names and values: in charts, and in files", async () => {
  await graphOf(TEXT, {
    look: tool(() => "", { effect: "none", description: "looks" }),
    kept: () => [],
    failing: () => "",
  });
  const traces = await currentSession().traces();
  for (const said of [...OWN, ...HOSTILE]) {
    const rows = await queryRows(traces, {
      sql: `SELECT $1 AS "${said.replaceAll('"', '""').replaceAll("\0", "")}", 2 AS n`,
      params: [said.replaceAll("\0", "")],
    });
    const drawn = await rows.chart({ type: "bar", title: said }).toMimeBundle();
    expectHarmless({ data: drawn, metadata: {} });
    expect(expressionsIn(drawn["application/vnd.vegalite.v5+json"])).toEqual([]);
    expect(drawn["image/svg+xml"]).toContain("<svg");
    const [given] = rows;
    const file = await rows.parquet(join(temporaryFolder(), "it's.parquet"));
    expect((await traces.ask(`FROM '${file.replaceAll("'", "''")}'`)).rows).toEqual([given]);
  }
});

function expectNoFormulas(csv: string): void {
  expect(csv).not.toMatch(/^"[=@]|,"[=@]/m);
}

/** Where Vega would work something out. */
function expressionsIn(spec: unknown, path = ""): readonly string[] {
  if (typeof spec !== "object" || spec === null) return [];
  return Object.entries(spec).flatMap(([key, value]) =>
    ["expr", "signal", "labelExpr", "calculate", "filter", "href", "url"].includes(key)
      ? [`${path}/${key}`]
      : key === "values" || key === "config"
        ? []
        : expressionsIn(value, `${path}/${key}`),
  );
}
