/** Pictures and tables that a run has made are shown below its drawing. */
import { expect, test } from "vitest";
import type { CellOutput } from "../../../kernel/cell-output.ts";
import type { ArtifactKind, ArtifactOptions, DrivenRun } from "../../../runtime/index.ts";
import { follow, graphOf } from "./runs.ts";

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

interface Keeping {
  artifact(options: ArtifactOptions): Promise<unknown>;
}

/** Returns the outputs besides the drawing of a run whose function keeps these artifacts. */
async function shownOf(...kept: readonly ArtifactOptions[]): Promise<readonly CellOutput[]> {
  const keep = async (context: Keeping) => {
    for (const options of kept) await context.artifact(options);
    return kept.length;
  };
  const graph = await graphOf(
    "graph Keep() returns n { state { n: int }\n run all = keep() writes n\n start -> all -> end }",
    { keep },
  );
  const { run, outputs } = follow(graph.run({}) as DrivenRun);
  await run.output;
  return outputs.filter((output) => !("displayId" in output));
}

const artifact = (name: string, kind: ArtifactKind, data: unknown): ArtifactOptions => ({
  name,
  kind,
  data,
  path: name,
});

test("a picture is an image in which no script runs", async () => {
  const [shown, ...others] = await shownOf(artifact('a"<b>.svg', "image", SVG));
  expect(others).toEqual([]);
  const base64 = Buffer.from(SVG).toString("base64");
  expect(shown).toMatchObject({
    kind: "display",
    bundle: {
      data: {
        "text/html": `<img alt="a&#34;&#60;b&#62;.svg" src="data:image/svg+xml;base64,${base64}" style="max-width:100%;background:#fff">`,
        "text/plain": `a"<b>.svg (image/svg+xml, ${SVG.length} bytes)`,
      },
    },
  });
});

test("a table that code wrote shows its first rows", async () => {
  const rows = Array.from({ length: 30 }, (_, row) => `${row},"a ""quoted"", cell"`);
  const [shown] = await shownOf(artifact("made.csv", "file", `n,text\n${rows.join("\n")}\n`));
  const plain = (shown as { bundle: { data: Record<string, string> } }).bundle.data["text/plain"];
  expect(plain?.split("\n").slice(0, 4)).toMatchInlineSnapshot(`
    [
      "n   text",
      "0   a "quoted", cell",
      "1   a "quoted", cell",
      "2   a "quoted", cell",
    ]
  `);
  expect(plain).toContain("made.csv: the first 20 of 30 rows");
});

test("what nobody looks at, what is too large and what comes after ten is not shown", async () => {
  const large = artifact("large.svg", "image", `${SVG}${" ".repeat(1_000_001)}`);
  const code = artifact("made.py", "code", "print(1)");
  const many = Array.from({ length: 12 }, (_, at) => artifact(`${at}.svg`, "image", `${SVG}${at}`));
  expect(await shownOf(large, code)).toEqual([]);
  expect(await shownOf(...many)).toHaveLength(10);
});
