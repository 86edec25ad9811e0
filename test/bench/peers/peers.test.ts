/** The systems beside the same in LangGraph JS: both come to the same, and the tables say what is so. What needs its packages is left out where they are not installed. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { projectRoot } from "../../support/child.ts";
import { benchFolder } from "../peers.ts";
import { FAULTS } from "./faults/faults.ts";
import { checkLangGraph, checkOurs } from "./faults/plant.ts";
import { playScene } from "./play.ts";
import { PEER_SCENES } from "./scenes.ts";
import { allLines, faultsTable, linesTable, waysTable } from "./tables.ts";
import { tryWays, WAYS } from "./ways.ts";

// Processes of their own on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const isMissing = !existsSync(join(benchFolder, "node_modules/@langchain/langgraph"));
const why = "LangGraph is not installed: `npm run bench -- why` brings it";

const sides = PEER_SCENES.flatMap((scene) => [
  [scene.system, "ours", scene] as const,
  [scene.system, "langgraph", scene] as const,
]);

test.for(sides)("%s, %s: comes to what the scene says", async ([, side, scene], context) => {
  context.skip(side === "langgraph" && isMissing, why);
  const { output } = await playScene(scene, side);
  expect(output).toEqual(scene.output);
});

test("a process that is killed at a call repeats none of ours", async () => {
  const [scene] = PEER_SCENES;
  if (scene === undefined) throw new Error("there is no scene");
  const whole = Object.values(scene.voices).flat().length;
  const { output, answered, calls } = await playScene(scene, "ours", 9);
  expect({ output, answered }).toEqual({ output: scene.output, answered: whole });
  expect(new Set(calls).size).toBe(calls.length);
});

test("each planted fault is told as the table says", () => {
  const found = checkOurs();
  for (const [index, { name, code }] of FAULTS.entries()) {
    if (code === undefined) expect(found[index], name).toEqual([]);
    else expect(found[index], name).toContain(code);
  }
});

test("LangGraph tells each planted fault where the table says", (context) => {
  context.skip(isMissing, why);
  expect(checkLangGraph()).toEqual(FAULTS.map(({ there }) => there));
});

test("every way to look into a run is there", () => {
  expect(tryWays("ours")).toEqual(WAYS.map(({ name }) => name));
});

test("LangGraph has the ways that the table says", (context) => {
  context.skip(isMissing, why);
  const there = WAYS.filter(({ isThere }) => isThere);
  expect(tryWays("langgraph")).toEqual(there.map(({ name }) => name));
});

test("the pages have the tables and the sums", () => {
  const page = readFileSync(join(import.meta.dirname, "README.md"), "utf8");
  for (const table of [linesTable(), faultsTable(), waysTable()]) expect(page).toContain(table);
  const readme = readFileSync(join(projectRoot, "README.md"), "utf8");
  const lines = allLines();
  const told = FAULTS.filter(({ code }) => code !== undefined).length;
  const toldThere = FAULTS.filter(({ there }) => there === "types" || there === "compile").length;
  const ways = WAYS.filter(({ isThere }) => isThere).length;
  expect(readme).toContain(`the same features | ${lines.ours} | ${lines.langgraph} |`);
  expect(readme).toContain(
    `of ${FAULTS.length} planted faults, those told before a run | ${told} | ${toldThere} |`,
  );
  expect(readme).toContain(
    `of ${WAYS.length} ways to look into a run and to change it | ${WAYS.length} | ${ways} |`,
  );
});
