/** How long the page's debugger waits for an answer: of a run that is stopped, over the sockets of a kernel. */
import type { Dict } from "../../../kernel/jupyter/wire/message.ts";
import { BenchClient } from "./bench-client.ts";
import { ownKernel } from "./contenders.ts";
import type { DebugRows } from "./debug-rows.ts";

const ROUND_TRIP = "round trip of the debugger";
const TIMES = 50;

const CELLS = [
  "const look = (topic: string) => topic.toUpperCase();",
  `%%graph
graph Look(topic: string) returns text {
  state { text: string }
  run look = look(topic) writes text
  start -> look -> end
}`,
];

/** One request of each kind that the panel makes at a stop, again and again. */
export async function roundTripRow({ tell, keep, wanted }: DebugRows): Promise<void> {
  if (!wanted.has(ROUND_TRIP)) return;
  tell(`bench: ${ROUND_TRIP}`);
  const client = await BenchClient.start(ownKernel());
  try {
    const ours = await timesOf(client);
    keep({ name: ROUND_TRIP, unit: "ms", goal: 15, goalOn: "ours", ours });
  } finally {
    await client.kill();
  }
}

async function timesOf(client: BenchClient): Promise<readonly number[]> {
  await client.ready();
  for (const code of CELLS) await client.execute(code).content;
  const times: number[] = [];
  const ask = async (command: string, given: Dict = {}): Promise<Dict> => {
    const { began, content } = client.debug({ type: "request", seq: 1, command, arguments: given });
    const { success, message, body } = await content;
    times.push(performance.now() - began);
    if (success !== true) throw new Error(`${command}: ${message}`);
    return body as Dict;
  };
  for (const command of ["initialize", "attach"]) await ask(command);
  const { sourcePath: path } = await ask("dumpCell", { code: CELLS[1] });
  await ask("setBreakpoints", { source: { path }, breakpoints: [{ line: 4 }] });
  await client.execute('const run = Look.run({ topic: "x" });').content;
  while (((await ask("debugInfo")).stoppedThreads as unknown[]).length === 0);
  const frames = (await ask("stackTrace", { threadId: 1 })).stackFrames as readonly Dict[];
  const frameId = frames[0]?.id;
  const scopes = (await ask("scopes", { frameId })).scopes as readonly Dict[];
  const { variablesReference } = scopes[0] ?? {};
  times.length = 0;
  for (let time = 0; time < TIMES; time += 1) {
    await ask("stackTrace", { threadId: 1 });
    await ask("scopes", { frameId });
    await ask("variables", { variablesReference });
    await ask("evaluate", { expression: "topic", frameId });
    await ask("inspectVariables");
  }
  return times;
}
