/** Measures a notebook's page: an input that is moved, a drawing that follows a run, the first chart. */
import { BenchClient } from "./bench-client.ts";
import { ownKernel } from "./contenders.ts";
import type { DebugRows } from "./debug-rows.ts";

const INPUT = "an input's change reaches its cell";
const DRAWING = "a run with a live drawing";
const CHART = "memory after the first chart";
const LOOP = "100 runs in a loop, drawn";
const TABLE = "a table of 100,000 rows is shown";
const PAGES = "a page of that table comes";
const CHANGES = 50;
const RUNS = 7;

export async function notebookRows({ tell, keep, wanted }: DebugRows): Promise<void> {
  const measure = async <T>(name: string, work: (client: BenchClient) => Promise<T>) => {
    tell(`bench: ${name}`);
    const client = await BenchClient.start(ownKernel());
    try {
      await client.ready();
      return await work(client);
    } finally {
      await client.kill();
    }
  };
  if (wanted.has(INPUT)) {
    const ours = await measure(INPUT, inputTimes);
    keep({ name: INPUT, unit: "ms", goal: 30, goalOn: "ours", ours });
  }
  if (wanted.has(DRAWING)) {
    const { ours, base } = await measure(DRAWING, drawingTimes);
    keep({ name: DRAWING, unit: "ms", goal: 0.98, goalOn: "ratio", ours, base });
  }
  if (wanted.has(LOOP)) {
    const { ours, base } = await measure(LOOP, loopTimes);
    // At most 1.2 times as long as without drawings.
    keep({ name: LOOP, unit: "ms", goal: 0.83, goalOn: "ratio", ours, base });
  }
  if (wanted.has(TABLE) || wanted.has(PAGES)) {
    const { shown, pages } = await measure(TABLE, tableTimes);
    if (wanted.has(TABLE))
      keep({ name: TABLE, unit: "ms", goal: 150, goalOn: "ours", ours: shown });
    if (wanted.has(PAGES)) keep({ name: PAGES, unit: "ms", goal: 50, goalOn: "ours", ours: pages });
  }
  if (wanted.has(CHART)) {
    const ours = await measure(CHART, chartMemory);
    keep({ name: CHART, unit: "MB", goal: 250, goalOn: "ours", ours });
  }
}

/** From the page's message to what the cell prints of it, one after the other. */
async function inputTimes(client: BenchClient): Promise<readonly number[]> {
  client.comm("comm_open", { comm_id: "control", target_name: "jupyter.widget.control", data: {} });
  await right(client, "1 + 1");
  const shown = client.execute(`import { display, slider } from "madrigal";
const k = slider({ min: 0, max: ${CHANGES}, value: 0 });
await display(k);
void (async () => { for await (const value of k) console.log(value); })();`);
  await shown.printed("0\n");
  const [comm_id] = client.models;
  if (comm_id === undefined) throw new Error("the kernel has opened no widget");
  const times: number[] = [];
  let text = "0\n";
  for (let value = 1; value <= CHANGES; value += 1) {
    text += `${value}\n`;
    const began = performance.now();
    client.comm("comm_msg", { comm_id, data: { method: "custom", content: { values: [value] } } });
    await shown.printed(text);
    times.push(performance.now() - began);
  }
  return times;
}

const NODES = 20;
const STEPS = Array.from({ length: NODES }, (_, at) => `step${at}`);
const GRAPH = `%%graph
graph Walk() returns last {
  state { last: int }
${STEPS.map((name) => `  run ${name} = pause() writes last`).join("\n")}
  start -> ${STEPS.join(" -> ")} -> end
}`;

/** Runs whose nodes wait, as those of agents do, with drawings and without, in turns. */
async function drawingTimes(client: BenchClient) {
  await right(
    client,
    "const pause = () => new Promise<number>((resolve) => setTimeout(() => resolve(1), 25));",
  );
  await right(client, GRAPH);
  return await drawnAndNot(client, "await Walk.run({}).output;");
}

/** The times of a cell with drawings of its runs and without, in turns; the first of each fills caches. */
async function drawnAndNot(client: BenchClient, code: string) {
  const once = async (draw: "on" | "off") => {
    await right(client, `%config draw ${draw}`);
    const began = performance.now();
    await right(client, code);
    return performance.now() - began;
  };
  for (const draw of ["on", "off"] as const) await once(draw);
  const [ours, values]: [number[], number[]] = [[], []];
  for (let run = 0; run < RUNS; run += 1) {
    ours.push(await once("on"));
    values.push(await once("off"));
  }
  return { ours, base: { name: "without drawing", values } };
}

/** A loop of short runs, of which five are drawn and the others counted. */
async function loopTimes(client: BenchClient) {
  await right(client, "const one = () => 1;");
  await right(
    client,
    "%%graph\ngraph One() returns last {\n  state { last: int }\n  run only = one() writes last\n  start -> only -> end\n}",
  );
  const loop = "for (let run = 0; run < 100; run += 1) await One.run({}).output;";
  return await drawnAndNot(client, loop);
}

/** A cell that shows a table, and rows far apart of it, each asked for as the page does. */
async function tableTimes(client: BenchClient) {
  client.comm("comm_open", { comm_id: "control", target_name: "jupyter.widget.control", data: {} });
  await right(
    client,
    'const people = Array.from({ length: 100_000 }, (_, n) => ({ n, name: "person " + n, score: n / 3 }));',
  );
  const shown: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const began = performance.now();
    await right(client, "people");
    shown.push(performance.now() - began);
  }
  const comm_id = client.models.at(-1);
  if (comm_id === undefined) throw new Error("the kernel has opened no widget");
  const pages: number[] = [];
  for (let page = 0; page < CHANGES; page += 1) {
    const content = { ask: `page-${page}`, from: ((page * 37) % 1000) * 100, of: {} };
    const began = performance.now();
    const answered = client.heard(`page-${page}`);
    client.comm("comm_msg", { comm_id, data: { method: "custom", content } });
    await answered;
    pages.push(performance.now() - began);
  }
  return { shown, pages };
}

async function chartMemory(client: BenchClient): Promise<readonly number[]> {
  await right(client, 'import { plot } from "madrigal";\nplot([3, 1, 2])');
  return [client.megabytes()];
}

async function right(client: BenchClient, code: string): Promise<void> {
  const { status, evalue } = await client.execute(code).content;
  if (status !== "ok") throw new Error(`\`${code}\` failed: ${evalue}`);
}
