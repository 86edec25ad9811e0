/** The systems of `notebooks/systems` as far as they run on Restate, and a client that sees a run of each to its end. */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Interrupt, Session } from "../../../runtime/index.ts";
import type { Ingress } from "../../../runtime/restate/ingress.ts";
import type { RunStanding } from "../../../runtime/restate/messages.ts";
import { asked, deepSearchIn, inDoubt, voices } from "../kills/aworld-world.ts";
import { eko, magentic, type System, sharedState } from "../kills/systems-world.ts";

/** Takes away what a workspace keeps: memories, and fields of threads and users. Each run here has a thread of its own anyway. */
export const withoutKept = (text: string): string =>
  text
    .replaceAll(/^\s*(memory|recall|store|Known:|What worked before:) .*\n/gm, "")
    .replaceAll(/\bstate (thread|user) \{/g, "state {")
    .replace("Remembered(plans)", "Remembered([])");

function deepSearch(session: Session, home: string): System {
  const file = join(home, "did.txt");
  const options = () => ({ ...voices(), answers: inDoubt(file) });
  return { graph: deepSearchIn(session, file, withoutKept), input: asked, options };
}

/** The agents of `agent-world` are strong ones, which a worker refuses. */
const SERVED: Readonly<Record<string, (session: Session, home: string) => System>> = {
  "shared-state": sharedState,
  eko,
  magentic: (session, home) => magentic(session, home, withoutKept),
  "aworld-deep-search": deepSearch,
};

export const SERVED_NAMES: readonly string[] = Object.keys(SERVED);

/** The folder of a system, where its calls to the outside leave their lines. */
export function folderOf(home: string, name: string): string {
  const folder = join(home, name);
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
  return folder;
}

/** The systems by their names, each with its folder in `home`. */
export function servedIn(session: Session, home: string): ReadonlyMap<string, System> {
  return new Map(
    Object.entries(SERVED).map(([name, make]) => [name, make(session, folderOf(home, name))]),
  );
}

export interface Client {
  readonly ingress: Ingress;
  readonly systems: ReadonlyMap<string, System>;
  /** The runs are called by it: one that is started already is only followed. */
  readonly round: string;
  /** Told how many records the runs have together, at each look. */
  readonly tell: (records: number) => void;
}

/** Starts a run of each system, answers what they ask, and resolves with how they ended. */
export async function settled(client: Client): Promise<ReadonlyMap<string, RunStanding>> {
  const counts = new Map<string, number>();
  const ends = [...client.systems].map(async ([name, system]) => {
    const tell = (records: number) => {
      counts.set(name, records);
      client.tell(counts.values().reduce((sum, count) => sum + count, 0));
    };
    return [name, await ended({ ...client, tell }, name, system)] as const;
  });
  return new Map(await Promise.all(ends));
}

async function ended(
  { ingress, round, tell }: Client,
  name: string,
  { graph, input, options }: System,
): Promise<RunStanding> {
  const run = `${name}-${round}`;
  const { answers } = options();
  // The server may be the one that is killed.
  await ingress.wait(`Graph-${graph.name}/start`, { run, input });
  for (;;) {
    const standing = await ingress.run<RunStanding>(run, "status", null);
    tell(standing.lastSeq + 1);
    if (["succeeded", "failed", "aborted"].includes(standing.summary.status)) return standing;
    if (standing.broken !== undefined) return standing;
    for (const one of standing.interrupts as readonly Interrupt[]) {
      const answer = typeof answers === "function" ? await answers(one, () => []) : undefined;
      if (answer === undefined) throw new Error(`nobody answers ${JSON.stringify(one)}`);
      const says = { verb: "answer", interrupt: one.id, answer };
      // An earlier client may have answered it.
      await ingress.run(run, "say", says).catch(() => {});
    }
    await sleep(LOOK_MS);
  }
}

/** A look is a call of the run, and costs as much as a step of it. */
const LOOK_MS = 100;
