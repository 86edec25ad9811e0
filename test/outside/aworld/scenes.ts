/** Lists what the planner says in each scene, and what comes of it in AWorld and here. */

export type Voice = "planner" | "searcher" | "reporter";

/** One task with the answers of each voice, in order; the last one is said again. */
export interface Scene {
  readonly name: string;
  readonly voices: Readonly<Record<Voice, readonly string[]>>;
  readonly theirs: string;
  readonly ours: string;
  /** Why the two differ. */
  readonly reason: string;
}

export const TASK = "tulips or roses?";

const planned = (steps: Readonly<Record<string, string>>, dag: readonly unknown[]) => {
  const all = Object.entries(steps).map(([id, agent]) => [
    id,
    { input: id === "report" ? "compare" : `look at ${id}`, id: agent },
  ]);
  return `<PLANNING_TAG>${JSON.stringify({ steps: Object.fromEntries(all), dag })}</PLANNING_TAG>`;
};
const SEARCH = "web_search_agent";
const ANSWER = "<FINAL_ANSWER_TAG>tulips</FINAL_ANSWER_TAG>";

function scene(
  name: string,
  planner: readonly string[],
  { theirs, ours = theirs, reason = "" }: { theirs: string; ours?: string; reason?: string },
): Scene {
  const voices = { planner, searcher: ["red"], reporter: ["tulips are better"] };
  return { name, voices, theirs, ours, reason };
}

export const SCENES: readonly Scene[] = [
  scene(
    "two steps side by side, then one, then an answer",
    [
      planned({ s1: SEARCH, s2: SEARCH, report: "reporting_agent" }, [["s1", "s2"], "report"]),
      `<PLANNING_TAG>{"steps": {}, "dag": []}</PLANNING_TAG>${ANSWER}`,
    ],
    { theirs: "planner, searcher, searcher, reporter, planner: answer `tulips`" },
  ),
  scene("an answer at once", [ANSWER], { theirs: "planner: answer `tulips`" }),
  scene(
    "two rounds of a step",
    [planned({ s1: SEARCH }, ["s1"]), planned({ s2: SEARCH }, ["s2"]), ANSWER],
    {
      theirs: "planner, searcher, planner, searcher, planner: answer `tulips`",
    },
  ),
  scene("neither a plan nor an answer", ["I shall think of it.", ANSWER], {
    theirs: "planner: answer `I shall think of it.`",
    ours: "planner, planner: answer `tulips`",
    reason: "what has no answer in it is none: the planner is told, and asked again",
  }),
  scene("JSON that is cut off", ['<PLANNING_TAG>{"steps": {</PLANNING_TAG>', ANSWER], {
    theirs: "planner: failed",
    ours: "planner, planner: answer `tulips`",
    reason: "a mistake of a model goes back to it first",
  }),
  scene("an agent that is not there", [planned({ s1: "nobody" }, ["s1"]), ANSWER], {
    theirs: "planner: failed",
    ours: "planner, planner: answer `tulips`",
    reason: "names are looked up before a step begins, and the planner is told",
  }),
  scene("a step that `dag` leaves out", [planned({ s1: SEARCH, s2: SEARCH }, ["s1"]), ANSWER], {
    theirs: "planner, searcher, planner: answer `tulips`",
    ours: "planner, planner: answer `tulips`",
    reason: "a step that was planned is not left out in silence",
  }),
  scene("a `dag` with a step that is not there", [planned({ s1: SEARCH }, ["s1", "s9"]), ANSWER], {
    theirs: "planner, searcher: failed",
    ours: "planner, planner: answer `tulips`",
    reason: "a plan is checked whole before its first step",
  }),
  scene("the same plan for ever", [planned({ s1: SEARCH }, ["s1"])], {
    theirs: "asks again without an end",
    ours: "planner, searcher, planner, planner: failed",
    reason: "a loop has a bound, reaching it is a failure; a step that is done is not done again",
  }),
];
