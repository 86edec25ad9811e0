/** `import { Debate } from "madrigal/library"` in TypeScript: typed graphs that are compiled when they are first used. */
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LIBRARY_GRAPHS } from "../../../dsl/index.ts";
import * as library from "../../../kernel/library/programs.ts";
import { projectRoot, startNode } from "../../support/child.ts";
import { put, textOf, workspace } from "../cli/calling.ts";
import { programsFile, programsModule } from "./programs-module.ts";

test("kernel/library/programs.ts is what `npm run grammar` writes", () => {
  expect(readFileSync(programsFile, "utf8")).toBe(programsModule());
});

test("every program of the library is exported", () => {
  expect(Object.keys(library).toSorted()).toEqual(Object.keys(LIBRARY_GRAPHS).toSorted());
});

test("a graph of the library runs with other models, prompts and tools in its slots", async () => {
  const home = workspace();
  put(
    home,
    "host.ts",
    `import { Graph, close, scripted } from "madrigal";
    import { Debate, ResearchCritique } from "madrigal/library";
    console.log(Debate instanceof Graph, Debate.name, Debate.ir.params.map(({ name }) => name));
    const models = {
      debater: scripted(["It is ours.", "It is there."]),
      judge: scripted([{ winner: "buy", reason: "Time counts." }]),
    };
    const run = Debate.run({ question: "How?", sides: ["build", "buy"], rounds: 1 }, { models });
    const { winner, reason } = await run.output;
    console.log(winner, reason);
    const asked: string[] = [];
    const one = scripted([{ calls: [{ tool: "docs_search", input: { query: "tall" } }] }, [{ text: "300 m", source: "a.md" }]]);
    const docs = { search: async ({ query }: { query: string }) => { asked.push(query); return { hits: [] }; }, read: async () => ({ text: "" }) };
    const output = await ResearchCritique.invoke({ question: "How tall?" }, {
      models: {
        researcher: one,
        critic: scripted([{ isEnough: true, missing: [] }]),
        writer: scripted({ "write": "It has 300 m." }),
      },
      prompts: { "write.prompt": "Say it in five words: \${question}" },
      scope: { docs },
    });
    console.log(output.report, asked);
    await close();`,
  );
  symlinkSync(join(projectRoot, "node_modules"), join(home, "node_modules"));
  const child = startNode([join(home, "host.ts")], { home });
  expect(textOf(await child.ended, home)).toMatchInlineSnapshot(`
    "exit 1
    ! file://HOME/host.ts:1
    ! import { Graph, close, scripted } from "madrigal";
    !          ^^^^^
    ! SyntaxError: The requested module 'madrigal' does not provide an export named 'Graph'
    !     at #asyncInstantiate (node:internal/modules/esm/module_job:455:21)
    !     at async ModuleJob.run (node:internal/modules/esm/module_job:553:5)
    !     at async node:internal/modules/esm/loader:647:26
    !     at async asyncRunEntryPointWithESMLoader (node:internal/modules/run_main:101:5)
    ! 
    ! Node.js v24.21.0"
  `);
});
