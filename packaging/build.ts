/**
 * Builds the npm package into `dist/`, or the folder that its argument names. The folder is complete: `npm pack ./dist` and
 * `npm publish ./dist` take it as it is.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join, resolve } from "node:path";
import { BUNDLED, bundle } from "./bundle.ts";
import { billOfMaterials, noticesPage } from "./notices.ts";
import { packageManifest } from "./package-manifest.ts";

const root = join(import.meta.dirname, "..");
const out = resolve(process.argv[2] ?? join(root, "dist"));

/** Files that are read while Madrigal runs; they keep their places below the package. */
const DATA = [
  "LICENSE",
  "README.md",
  "dsl/manual",
  "kernel/lab/extension",
  "kernel/cells/python/driver.py",
  "kernel/cells/python/tables_of_cells.py",
  "kernel/lab/papermill/papermill_madrigal.py",
  "kernel/lab/requirements.txt",
  "kernel/lab/serve_jupyterlab.py",
  "kernel/manual",
  "kernel/types/sql/duckdb-words.json",
  "kernel/types/sql/trace-words.json",
  "kernel/app/app.js",
  "kernel/app/owner.js",
  "kernel/http-server/page.js",
  "kernel/widgets/place.js",
  "kernel/widgets/agent-sessions.js",
  "kernel/widgets/inputs.js",
  "kernel/widgets/live-page.js",
  "kernel/widgets/plan-editor.js",
  "kernel/widgets/question-form.js",
  "kernel/widgets/table-viewer.js",
  "kernel/widgets/timeline-panel.js",
  "runtime/library",
];

rmSync(out, { recursive: true, force: true });
await bundle(root, out);
writeDeclarations();
for (const path of DATA) {
  mkdirSync(dirname(join(out, path)), { recursive: true });
  cpSync(join(root, path), join(out, path), { recursive: true });
}
writeClassifier();
writeFileSync(join(out, "package.json"), `${JSON.stringify(packageManifest(root), null, 2)}\n`);
writeFileSync(join(out, "sbom.cdx.json"), billOfMaterials(root));
writeFileSync(join(out, "THIRD-PARTY-NOTICES.md"), noticesPage(root, BUNDLED));
process.stdout.write(`${out}\n`);

/** Types have a file for each of ours; paths between them are the same as between the sources. */
function writeDeclarations(): void {
  const args = ["--declaration", "--emitDeclarationOnly", "--sourceMap", "false", "--outDir", out];
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  const { status } = spawnSync(process.execPath, [compiler, ...args], {
    cwd: root,
    stdio: ["ignore", 2, 2],
  });
  if (status !== 0) throw new Error(`tsc ended with ${status}`);
}

/** The extension of JupyterLab takes the file that says what a cell is as it stands, without types. */
function writeClassifier(): void {
  const path = join("kernel", "cells", "kinds", "classify");
  const text = readFileSync(join(root, `${path}.ts`), "utf8");
  writeFileSync(join(out, `${path}.js`), stripTypeScriptTypes(text));
}
