import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createDocsTools } from "../../../runtime/agents/built-in-tools/docs-tools.ts";
import { resolveTools } from "../../../runtime/agents/scope/tools.ts";
import { createRoot, plant } from "./packages.ts";

const tides =
  "# Tides\n\nTides follow the moon.\n\n## Spring\n\nA spring tide is the highest of the month.\n";
const salt = "# Salt\n\nSalt is white, and the moon is not made of it.\n";

async function files(root: string, query: string): Promise<string[]> {
  const { hits } = await createDocsTools({ root }).search({ query });
  return hits.map(({ file, heading }) => `${file} # ${heading}`);
}

describe("docs.search", () => {
  test("finds sections, best first, each with its place and a literal snippet", async () => {
    const root = createRoot({ "tides/README.md": tides, "@sea/salt/docs/salt.mdx": salt });
    const { hits } = await createDocsTools({ root }).search({ query: "highest tides" });
    expect(
      hits.map(({ score, ...hit }) => ({ ...hit, isScored: score > 0 })),
    ).toMatchInlineSnapshot(`
      [
        {
          "file": "tides/README.md",
          "heading": "Tides > Spring",
          "isScored": true,
          "package": "tides",
          "snippet": "A spring tide is the highest of the month.",
        },
        {
          "file": "tides/README.md",
          "heading": "Tides",
          "isScored": true,
          "package": "tides",
          "snippet": "Tides follow the moon.",
        },
      ]
    `);
    expect(await files(root, "salt moon")).toEqual([
      "@sea/salt/docs/salt.mdx # Salt",
      "tides/README.md # Tides",
    ]);
  });

  test.each([
    ["endings", "spring-time", "springs"],
    ["a slip of the pen", "the quarantine of ships", "quaranteen"],
    ["parts of a name", "call useSaltChat first", "chat"],
    ["a name as a whole", "call useSaltChat first", "usesaltchat"],
    ["other scripts", "Соль белая", "соль"],
  ])("meets %s", async (_, text, query) => {
    const root = createRoot({
      "a/readme.md": `# X\n\n${text}\n`,
      "b/readme.md": "# Y\n\nnothing of it\n",
    });
    expect(await files(root, query)).toEqual(["a/readme.md # X"]);
  });

  test("reads documents only, and of documents neither change logs, licences nor translations", async () => {
    const root = createRoot({
      "a/README.md": "zebra",
      "a/README.fr.md": "zebra",
      "a/CHANGELOG.md": "zebra",
      "a/LICENSE.md": "zebra",
      "a/test/fixtures/x.md": "zebra",
      "a/docs/guide/x.MDX": "zebra",
      "a/index.js": "zebra",
      ".cache/b/README.md": "zebra",
    });
    expect(await files(root, "zebra")).toEqual([
      "a/README.md # (beginning)",
      "a/docs/guide/x.MDX # (beginning)",
    ]);
  });

  test("follows no link that leads out, and none inside a package", async () => {
    const outside = createRoot({ "package/README.md": "zebra", "secret.md": "zebra" });
    const root = createRoot({ "real/README.md": "zebra", "store/x/README.md": "quagga" });
    symlinkSync(join(outside, "package"), join(root, "linked"));
    symlinkSync(join(root, "store", "x"), join(root, "within"));
    symlinkSync(join(outside, "secret.md"), join(root, "real", "secret.md"));
    symlinkSync(join(root, "nowhere"), join(root, "broken"));
    expect(await files(root, "zebra quagga")).toEqual([
      "real/README.md # (beginning)",
      "store/x/README.md # (beginning)",
      "within/README.md # (beginning)",
    ]);
  });

  test("notices a planted document, a changed one and a removed one at once", async () => {
    const root = createRoot({ "tides/README.md": tides });
    const { search } = createDocsTools({ root });
    const found = async () => (await search({ query: "zebra" })).hits.map(({ file }) => file);
    expect(await found()).toEqual([]);
    plant(root, { "new/README.md": "a zebra" });
    expect(await found()).toEqual(["new/README.md"]);
    plant(root, { "new/README.md": "a quagga now" });
    expect(await found()).toEqual([]);
    plant(root, { "new/README.md": "a zebra once more" });
    expect(await found()).toEqual(["new/README.md"]);
    rmSync(join(root, "new"), { recursive: true });
    expect(await found()).toEqual([]);
  });

  test("gives the same whatever came into the index first", async () => {
    const both = { "a/README.md": "zebra one", "b/README.md": "zebra one" };
    const root = createRoot({ "b/README.md": "zebra one" });
    const { search } = createDocsTools({ root });
    await search({ query: "zebra" });
    plant(root, both);
    const late = await search({ query: "zebra" });
    expect(late).toEqual(
      await createDocsTools({ root: createRoot(both) }).search({ query: "zebra" }),
    );
  });

  test("parallel searches build one index", async () => {
    const { search } = createDocsTools({ root: createRoot({ "tides/README.md": tides }) });
    const answers = await Promise.all(["moon", "moon", "moon"].map((query) => search({ query })));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.hits).toHaveLength(1);
  });

  test("nothing asked or nothing met is no hit; no folder is M8403", async () => {
    const root = createRoot({ "tides/README.md": tides });
    expect(await files(root, "")).toEqual([]);
    expect(await files(root, "zzz9 qqq")).toEqual([]);
    await expect(files(join(root, "none"), "moon")).rejects.toMatchObject({ code: "M8403" });
  });
});

describe("docs.read", () => {
  test.each([
    ["a document", { file: "tides/README.md" }, tides],
    [
      "a section",
      { file: "tides/README.md", heading: "Tides > Spring" },
      "\nA spring tide is the highest of the month.\n",
    ],
    [
      "a heading over headings",
      { file: "over/README.md", heading: "A" },
      "## B\n\none\n\n### C\n\ntwo\n",
    ],
    ["a heading over nothing", { file: "over/README.md", heading: "D" }, ""],
  ])("%s, literally", async (_, asked, text) => {
    const over = "# A\n## B\n\none\n\n### C\n\ntwo\n# D\n";
    const root = createRoot({ "tides/README.md": tides, "over/README.md": over });
    const reading = await createDocsTools({ root }).read(asked);
    expect(reading).toMatchObject({ ...asked, package: asked.file.split("/")[0] });
    expect(reading.text.trim()).toBe(text.trim());
    expect(asked.file === "tides/README.md" ? tides : over).toContain(reading.text);
  });

  test("the beginning of a long one, with its headings", async () => {
    const line = "Tides follow the moon, and the moon follows nothing at all.\n";
    const root = createRoot({ "long/README.md": `# A\n${line.repeat(500)}# B\n` });
    const { text, chars, headings } = await createDocsTools({ root }).read({
      file: "long/README.md",
    });
    expect(chars).toBe(8 + line.length * 500);
    expect(text.length).toBeLessThan(8_001);
    expect(text.endsWith("at all.")).toBe(true);
    expect(headings).toEqual(["A", "B"]);
  });

  test.each([
    ["a path that leads out", "../secret.md", "M8401"],
    ["an absolute path", "/etc/passwd", "M8401"],
    ["a file that is no document", "tides/package.json", "M8401"],
    ["a link", "tides/link.md", "M8401"],
    [
      "a name that is nearly right",
      "tides/READNE.md",
      'M8401 there is no document "tides/READNE.md"; did you mean "tides/README.md"?',
    ],
  ])("refuses %s", async (_, file, expected) => {
    const root = createRoot({
      "n/tides/README.md": tides,
      "n/tides/package.json": "{}",
      "secret.md": "x",
    });
    symlinkSync(join(root, "secret.md"), join(root, "n/tides/link.md"));
    const error: unknown = await createDocsTools({ root: join(root, "n") })
      .read({ file })
      .catch((thrown) => thrown);
    expect(error).toHaveProperty("code", "M8401");
    expect(`M8401 ${error instanceof Error ? error.message : ""}`).toContain(expected);
  });

  test("names the heading that was probably meant", async () => {
    const root = createRoot({ "tides/README.md": tides });
    const read = createDocsTools({ root }).read({
      file: "tides/README.md",
      heading: "Tides > Sprung",
    });
    await expect(read).rejects.toThrow(
      'has no heading "Tides > Sprung"; did you mean "Tides > Spring"?',
    );
  });
});

test("docs.verify keeps what is in the file, mends white space, and drops the rest", async () => {
  const root = createRoot({ "tides/README.md": "# T\n\nTides follow\nthe moon (mostly).\n" });
  const file = "tides/README.md";
  const findings = [
    { file, quote: "Tides follow\nthe moon (mostly).", score: 1 },
    { file, quote: "Tides follow the moon (mostly).", score: 2 },
    { file, quote: "Tides lead the moon.", score: 3 },
    { file, quote: "  ", score: 4 },
    { file: "../tides/README.md", quote: "Tides", score: 5 },
  ];
  expect(await createDocsTools({ root }).verify(findings)).toEqual([
    findings[0],
    { file, quote: "Tides follow\nthe moon (mostly).", score: 2 },
  ]);
});

test("both tools touch nothing and may run side by side", () => {
  const docs = createDocsTools({ root: "unused" });
  const tools = resolveTools([["docs", "*"]], { docs });
  expect(
    tools.map(({ modelName, effect, parallel }) => `${modelName} ${effect} ${parallel}`),
  ).toEqual(["docs_search none true", "docs_read none true"]);
});
