/** The tables of README.md: lines, faults, ways; a test compares each with what comes of it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { markdownTable } from "../../outside/table.ts";
import { countLines } from "../../ports/count-lines.ts";
import { projectRoot } from "../../support/child.ts";
import { FAULTS } from "./faults/faults.ts";
import { PEER_SCENES, type PeerScene } from "./scenes.ts";
import { WAYS } from "./ways.ts";

const linesOf = (path: string) => countLines(readFileSync(join(projectRoot, path), "utf8"));

/** The lines of one system, with the programs of the library that it is made of; of LangGraph's side without `role.js`, which all of them share. */
export function systemLines({ system, files, library = [] }: PeerScene) {
  const peers = [`${system}.js`, ...files].map((file) => linesOf(`test/bench/peers/${file}`));
  const programs = [
    `notebooks/systems/${system}/${system}.madrigal`,
    ...library.map((name) => `runtime/library/${name}.madrigal`),
  ].map(linesOf);
  return {
    ours: programs.reduce((sum, lines) => sum + lines, 0),
    langgraph: peers.reduce((sum, lines) => sum + lines, 0),
  };
}

/** The lines of all systems together. */
export function allLines() {
  const all = PEER_SCENES.map(systemLines);
  return {
    ours: all.reduce((sum, { ours }) => sum + ours, 0),
    langgraph: all.reduce(
      (sum, { langgraph }) => sum + langgraph,
      linesOf("test/bench/peers/role.js"),
    ),
  };
}

export function linesTable(): string {
  const rows = PEER_SCENES.map((scene) => {
    const { ours, langgraph } = systemLines(scene);
    return [scene.system, ours, langgraph];
  });
  const { ours, langgraph } = allLines();
  return markdownTable(["system", "Madrigal", "LangGraph JS"], [...rows, ["all", ours, langgraph]]);
}

export function faultsTable(): string {
  const rows = FAULTS.map(({ name, code, there }) => [name, code ?? "never", there]);
  return markdownTable(["fault", "`madrigal check`", "LangGraph JS"], rows);
}

export function waysTable(): string {
  const rows = WAYS.map(({ wanted, ours, langgraph, isThere }) => {
    const nearest = langgraph === undefined ? "no" : `no: ${langgraph}`;
    return [wanted, ours, isThere && langgraph !== undefined ? langgraph : nearest];
  });
  return markdownTable(["wanted", "Madrigal", "LangGraph JS"], rows);
}
