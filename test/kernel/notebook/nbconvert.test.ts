/** Our notebooks as nbconvert makes pages of them: every picture is there, nothing raw, nothing from elsewhere. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { runProgram } from "../../../kernel/lab/run-program.ts";
import { isCode } from "../../../kernel/notebook/notebook.ts";
import { readNotebook } from "../../../kernel/notebook/read-notebook.ts";
import { projectRoot, temporaryFolder } from "../../support/child.ts";
import { missing, pythonEnv } from "../../support/python-env.ts";

vi.setConfig({ testTimeout: 120_000 });

const reason = await missing("python-env");
const folder = join(projectRoot, "notebooks");
const notebooks = readdirSync(folder).filter((name) => name.endsWith(".ipynb"));

/** The page, and the folder that it stands in. */
async function converted(name: string, words: readonly string[]) {
  const out = temporaryFolder();
  const command = [pythonEnv().python, "-m", "nbconvert", ...words, "--output-dir", out];
  const { ok, text } = await runProgram([...command, join(folder, name)], {
    env: { PATH: process.env.PATH ?? "", HOME: out },
  });
  if (!ok) throw new Error(text);
  const page = readdirSync(out).find((file) => /\.(?:html|md)$/.test(file)) ?? "";
  return { out, page: readFileSync(join(out, page), "utf8") };
}

/** How many drawings and charts a notebook's outputs have. */
function picturesIn(name: string): number {
  const { cells } = readNotebook(readFileSync(join(folder, name), "utf8"), name);
  const outputs = cells.filter(isCode).flatMap((cell) => cell.outputs);
  return outputs.filter((output) => "data" in output && "image/svg+xml" in output.data).length;
}

const INLINE = /<svg\b|<img\b[^>]*\bsrc="data:image\/svg\+xml;base64,/g;

/** How many drawings stand within HTML, as that of a timeline. */
function picturesInHtml(name: string): number {
  const { cells } = readNotebook(readFileSync(join(folder, name), "utf8"), name);
  const outputs = cells.filter(isCode).flatMap((cell) => cell.outputs);
  const html = outputs.map((output) => ("data" in output ? output.data["text/html"] : undefined));
  return html.flatMap((text) => (typeof text === "string" ? (text.match(INLINE) ?? []) : []))
    .length;
}

/** What is in no page: codes of terminals, bundles that nobody renders, addresses of elsewhere. */
function expectClean(page: string): void {
  expect(page).not.toContain("\u001b");
  expect(page).not.toMatch(/\[\d+(?:;\d+)*m/);
  expect(page).not.toMatch(/"?(?:run_id|model_sources|\$schema)"?:/);
  // An address that a quoted document has in its text is text, also what would be a link in Markdown; nothing is loaded.
  expect(page).not.toMatch(/(?:src|href)="(?!data:|#)[^"]*:|url\((?!#)|!\[[^\]]*\]\(\s*<?https?:/);
}

test.skipIf(reason !== undefined).each(notebooks)("%s as HTML", async (name) => {
  // The template without the page around it, whose scripts are nbconvert's own and from elsewhere.
  const { page } = await converted(name, ["--to", "html", "--template", "basic"]);
  expect(page.match(INLINE) ?? []).toHaveLength(picturesIn(name) + picturesInHtml(name));
  expect(picturesIn(name)).toBeGreaterThan(0);
  expectClean(page);
});

test.skipIf(reason !== undefined).each(notebooks)("%s as Markdown", async (name) => {
  const { out, page } = await converted(name, ["--to", "markdown"]);
  const pictures = [...page.matchAll(/^!\[svg\]\(([^)]+\.svg)\)$/gm)].map(([, path]) => path ?? "");
  expect(pictures).toHaveLength(picturesIn(name));
  for (const path of pictures) {
    expect(existsSync(join(out, path))).toBe(true);
    expect(readFileSync(join(out, path), "utf8")).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org/);
  }
  expectClean(page);
});
