/** Plays one scene by our engine, with a model behind a server. */
import { readFileSync } from "node:fs";
import { type Run, type RunEvent, Session } from "../../../runtime/index.ts";
import type { Played } from "./outcome.ts";
import type { Scene } from "./scenes.ts";
import { createTools } from "./tools.ts";

export async function playOurs(scene: Scene, baseUrl: string): Promise<Played> {
  const session = new Session({
    store: "memory",
    env: { MADRIGAL_HOME: "/nowhere", OPENAI_COMPATIBLE_BASE_URL: baseUrl },
  });
  const text = readFileSync(new URL("parity.madrigal", import.meta.url), "utf8");
  const { env, calls } = createTools();
  const turns = scene.config?.maxReactNum;
  const limited = turns === undefined ? text : text.replaceAll("60 turns", `${turns} turns`);
  const { Parity } = session.compile(limited, { scope: { env } });
  if (Parity === undefined) throw new Error("no graph");
  const run = Parity.run(
    { task: "Do it" },
    { models: { m: "openai-compatible/stub" } },
  ) as unknown as Run;
  const events: string[] = [];
  const ends: string[] = [];
  let isActed = false;
  const acted = Promise.withResolvers<void>();
  run.events$.subscribe((event: RunEvent) => {
    const {
      kind,
      node: name = "",
      path = [],
    } = event as RunEvent & { node?: string; path?: readonly string[] };
    const node = name.replace("step_", "");
    if (path.length === 0) return;
    if (kind === "attempt.started") events.push(`begin ${node}`);
    if (kind === "attempt.finished") events.push(`end ${node}`);
    if (kind === "tool.result") events.push("result");
    if (isActed || kind !== "attempt.started" || node !== scene.person?.at) return;
    isActed = true;
    acted.resolve(scene.person.does === "abort" ? run.abort() : run.pause());
  });
  if (scene.person !== undefined) {
    await acted.promise;
    if (run.status === "aborted") ends.push("abort");
    if (scene.again === true || run.status === "paused") void run.resume();
  }
  const output = await run.output.catch(() => undefined);
  ends.push(output === undefined ? (run.status === "aborted" ? "abort" : "error") : "done");
  await session.close();
  const { results = {} } = (output ?? {}) as { results?: Readonly<Record<string, unknown>> };
  return { ends, events, toolCalls: calls(), result: String(Object.values(results).at(-1) ?? "") };
}
