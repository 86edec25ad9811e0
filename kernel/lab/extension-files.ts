/** Makes the files of our extension for JupyterLab from hand-written JavaScript and parts of the kernel. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { extname } from "node:path";
import { languageWords } from "../../dsl/index.ts";
import { lineMagics } from "../cells/magics/magic-table.ts";
import { DARK } from "../display/chart/theme.ts";

export const EXTENSION_NAME = "madrigal";

const FILES = [
  "entry.js",
  "plugins.js",
  "cell-language.js",
  "tokens.js",
  "displays.js",
  "charts.js",
  "drawings.js",
  "node-panel.js",
  "stale-cells.js",
  "variables.js",
  "cell-footers.js",
  "indent-graphs.js",
] as const;

/** Returns the files of the extension, by their path in its folder. */
export function extensionFiles(): ReadonlyMap<string, string> {
  const modules = new Map([
    ...FILES.map(
      (name) =>
        [name, readFileSync(new URL(`extension/${name}`, import.meta.url), "utf8")] as const,
    ),
    ["words.js", `export const graphWords = ${JSON.stringify(languageWords)};\n`],
    ["colours.js", `export const darkColours = ${JSON.stringify(Object.fromEntries(DARK))};\n`],
    ["classify.js", classifySource()],
  ]);
  // Browsers keep what they have loaded by its address: another content has another one.
  const folder = `static/${hashOf(modules)}`;
  return new Map([
    ["package.json", `${JSON.stringify(manifest(`${folder}/entry.js`), null, 2)}\n`],
    ...[...modules].map(([name, text]) => [`${folder}/${name}`, text] as const),
  ]);
}

function manifest(load: string) {
  const { version } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  );
  return {
    name: EXTENSION_NAME,
    version,
    description: "Cells of Madrigal in JupyterLab: graphs, SQL and TypeScript",
    license: "Apache-2.0",
    jupyterlab: { extension: true, _build: { load, extension: "./extension" } },
  };
}

function hashOf(modules: ReadonlyMap<string, string>): string {
  const text = JSON.stringify([...modules]);
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** The kernel's own rule of what a cell is, for the browser: without types, and with the one list that it imports. */
function classifySource(): string {
  const extension = extname(import.meta.url);
  const text = readFileSync(
    new URL(`../cells/kinds/classify${extension}`, import.meta.url),
    "utf8",
  );
  const plain = extension === ".ts" ? withoutTypes(text) : text;
  return plain.replace(
    /^import \{ lineMagics \} from .*$/m,
    `const lineMagics = ${JSON.stringify(lineMagics)};`,
  );
}

function withoutTypes(text: string): string {
  const { emitWarning } = process;
  // Node warns once a process that it is experimental, which a user who installs a kernel can't change.
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(text);
  } finally {
    process.emitWarning = emitWarning;
  }
}
