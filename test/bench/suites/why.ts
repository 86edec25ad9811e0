/** `npm run bench -- why`: the same systems in LangGraph JS: their lines, planted faults, the price of a crash, ways to look into a run. */
import { LANGGRAPH } from "../engine/also.ts";
import { crashCost } from "../peers/crash.ts";
import { FAULTS } from "../peers/faults/faults.ts";
import { checkLangGraph, checkOurs } from "../peers/faults/plant.ts";
import type { PeerSide } from "../peers/play.ts";
import { PEER_SCENES, type PeerScene } from "../peers/scenes.ts";
import { allLines, systemLines } from "../peers/tables.ts";
import { tryWays, WAYS } from "../peers/ways.ts";
import type { Measured, Suite } from "../suite.ts";

/** The number of kills in each scene, spread from its first call to its last. */
const KILLS = 5;

/** A count of each side, of which less is better. */
interface Counts {
  readonly ours: number;
  readonly langgraph: number;
}

export const whySuite: Suite = {
  measure: async (tell, keep, wanted) => {
    for (const scene of PEER_SCENES) {
      const name = `lines of ${scene.system}`;
      if (wanted.has(name)) keep(lines(name, systemLines(scene)));
    }
    if (wanted.has("lines of all")) keep(lines("lines of all", allLines()));

    const faults = `faults of ${FAULTS.length} that nothing tells before a run`;
    if (wanted.has(faults)) {
      tell("bench: the planted faults");
      const ours = checkOurs().filter((codes) => codes.length === 0).length;
      const there = checkLangGraph().filter((by) => by === "run" || by === "never").length;
      keep(counted(faults, "faults", { ours, langgraph: there }));
    }

    const ways = `ways of ${WAYS.length} to look into a run that are missing`;
    if (wanted.has(ways)) {
      const missing = (side: "ours" | "langgraph") => WAYS.length - tryWays(side).length;
      keep(counted(ways, "ways", { ours: missing("ours"), langgraph: missing("langgraph") }));
    }

    const all = `calls repeated after ${KILLS * PEER_SCENES.length} kills of all`;
    const isAll = wanted.has(all);
    const sum = { ours: 0, langgraph: 0 };
    for (const scene of PEER_SCENES) {
      const name = `calls repeated after ${KILLS} kills of ${scene.system}`;
      if (!wanted.has(name) && !isAll) continue;
      tell(`bench: ${scene.system} is killed ${KILLS} times on each side`);
      const ours = await repeats(scene, "ours");
      const langgraph = await repeats(scene, "langgraph");
      keep(counted(name, "calls", { ours, langgraph }));
      sum.ours += ours;
      sum.langgraph += langgraph;
    }
    if (isAll) keep(counted(all, "calls", sum));
  },
};

/** The calls of models and tools that the kills of a scene cost. Throws where one leads to another output. */
async function repeats(scene: PeerScene, side: PeerSide): Promise<number> {
  const { modelCalls, toolCalls, wrong } = await crashCost(scene, side, KILLS);
  if (wrong > 0) throw new Error(`${scene.system}, ${side}: ${wrong} of ${KILLS} kills go wrong`);
  return modelCalls + toolCalls;
}

function lines(name: string, { ours, langgraph }: Counts): Measured {
  const base = { name: LANGGRAPH, values: [langgraph] };
  return { name, unit: "lines", goal: 1.5, goalOn: "ratio", ours: [ours], base };
}

function counted(name: string, unit: string, { ours, langgraph }: Counts): Measured {
  const base = { name: LANGGRAPH, values: [langgraph] };
  return { name, unit, goal: 0, goalOn: "ours", ours: [ours], base };
}
