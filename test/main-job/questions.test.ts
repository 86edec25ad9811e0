/** The main job on real documents: DeepSearch by the `rules` model over the packages in node_modules. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDocsTools, type DocsTools, type Run, Session } from "../../runtime/index.ts";

interface Finding {
  readonly package: string;
  readonly file: string;
  readonly heading: string;
  readonly quote: string;
}

const root = join(import.meta.dirname, "..", "..");
const program = readFileSync(join(root, "runtime/library/deep-search.madrigal"), "utf8");
const questions: readonly { question: string; package: string }[] = JSON.parse(
  readFileSync(join(root, "test/questions.json"), "utf8"),
);

let session: Session;
beforeAll(() => {
  session = new Session({ store: "memory", env: {} });
});
afterAll(() => session.close());

async function ask(question: string, docs: DocsTools): Promise<Run> {
  const scope = { docs };
  const run = session.compile(program, { scope }).DeepSearch?.run({ question });
  if (run === undefined) throw new Error("no DeepSearch");
  await run.output;
  return run;
}

/** The packages a report cites, in its order. */
function cited(report: string): string[] {
  return [...report.matchAll(/^\s*— (\S+) · /gm)].map(([, name]) => name ?? "");
}

describe("the ten questions", () => {
  const documents = join(root, "node_modules");
  const docs = createDocsTools({ root: documents });

  test("there are ten", () => expect(questions).toHaveLength(10));

  test.each(questions)("$question", async ({ question, package: expected }) => {
    const run = await ask(question, docs);
    const { report, findings } = run.state as { report: string; findings: Finding[] };
    expect(cited(report).slice(0, 2)).toContain(expected);
    const quotes = [...report.matchAll(/^\d+\. “([^”]*)”$/gm)].map(([, quote]) => quote);
    expect(quotes.length).toBeGreaterThan(0);
    for (const quote of quotes) expect(findings.map((finding) => finding.quote)).toContain(quote);
    for (const { file, quote } of findings) {
      expect(readFileSync(join(documents, file), "utf8")).toContain(quote);
    }
    expect(new Set(Object.values(session.store.meta(run.id).models))).toEqual(new Set(["rules"]));
  });
});

describe("a planted document with a word that stands nowhere else", () => {
  let documents: string;
  let docs: DocsTools;
  const word = `zyx${Math.random().toString(36).slice(2, 12).replace(/\d/g, "q")}`;
  const question = `How do I configure the ${word} interval?`;

  beforeAll(() => {
    documents = mkdtempSync(join(tmpdir(), "madrigal-docs-"));
    docs = createDocsTools({ root: documents });
    for (const name of ["rxjs", "fast-check", "knip", "minisearch"]) {
      mkdirSync(join(documents, name));
      const readme = readFileSync(join(root, "node_modules", name, "README.md"), "utf8");
      writeFileSync(join(documents, name, "README.md"), readme);
    }
  });
  afterAll(() => rmSync(documents, { recursive: true }));

  test("without it, the answer says that nothing was found", async () => {
    const { report, findings } = (await ask(question, docs)).state;
    expect(findings).toEqual([]);
    expect(report).toMatch(/nothing was found/i);
  });

  test("with it, it is found, quoted and cited", async () => {
    const planted = join(documents, "planted-package");
    mkdirSync(planted);
    const sentence = `Set the ${word} interval in milliseconds with the second argument.`;
    writeFileSync(join(planted, "README.md"), `# Planted\n\n## Tuning\n\n${sentence}\n`);
    const { report } = (await ask(question, docs)).state as { report: string };
    expect(report).toContain(sentence);
    expect(report).toContain("planted-package/README.md");
    expect(report).toContain("Tuning");
    expect(cited(report)[0]).toBe("planted-package");
  });

  test("a link that leads out of the folder is not followed", async () => {
    const outside = mkdtempSync(join(tmpdir(), "madrigal-outside-"));
    const secret = `qq${word}`;
    writeFileSync(join(outside, "README.md"), `# Secret\n\nThe ${secret} interval is nine.\n`);
    symlinkSync(outside, join(documents, "leads-out"));
    const asked = await ask(`What is the ${secret} interval?`, docs);
    expect(asked.state.findings).toEqual([]);
    rmSync(outside, { recursive: true });
  });
});
