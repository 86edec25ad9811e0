/** The price of a crash: a scene is killed at calls of models in turn, another process goes on, and what is called again is counted. */
import { isDeepStrictEqual } from "node:util";
import { type PeerSide, type PlayedScene, playScene } from "./play.ts";
import type { PeerScene } from "./scenes.ts";

/** The calls that the crashes of one scene repeat on one side. */
export interface CrashCost {
  readonly kills: number;
  /** Calls of models that had been answered, and were made and answered again. */
  readonly modelCalls: number;
  /** Calls of tools that had been made, and were made again. */
  readonly toolCalls: number;
  /** Kills behind which the scene came to something else, or to nothing. */
  readonly wrong: number;
}

/** Kills a scene at so many of its calls, from the first to the last. */
export async function crashCost(
  scene: PeerScene,
  side: PeerSide,
  kills: number,
): Promise<CrashCost> {
  const whole = await playScene(scene, side);
  const cost = { kills, modelCalls: 0, toolCalls: 0, wrong: 0 };
  for (let index = 0; index < kills; index += 1) {
    const at = 1 + Math.round((index * (whole.answered - 1)) / (kills - 1));
    const played = await playScene(scene, side, at).catch((error: Error) => error);
    if (played instanceof Error || !isDeepStrictEqual(played.output, scene.output)) cost.wrong += 1;
    if (played instanceof Error) continue;
    cost.modelCalls += played.answered - whole.answered;
    cost.toolCalls += repeated(played, whole);
  }
  return cost;
}

/** Calls that one way has more often than the other. */
function repeated({ calls }: PlayedScene, whole: PlayedScene): number {
  const left = [...whole.calls];
  return calls.filter((call) => {
    const at = left.indexOf(call);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  }).length;
}
