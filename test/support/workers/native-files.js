/**
 * Lets Node load the files of tests and what they import, from caches of their texts without types and of their compiled
 * code. Vitest would have its main process transform each of them, and would read each imported name through a getter.
 */
import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { keepSources } from "../../../kernel/startup/keep-sources.js";

const root = join(import.meta.dirname, "..", "..", "..");
const folderUrl = (name) => `${pathToFileURL(join(root, name))}/`;

keepSources({
  file: join(root, "node_modules/.cache/madrigal", `test-sources-${process.version}`),
  folders: ["dsl", "runtime", "kernel", "packaging", "test"].map(folderUrl),
});

/** The mark by which vitest says that it loads a file itself, so that a worker may load it twice; none of ours does. */
const MARK = /%3Fvitest=\d+$/;
const seeded = new URL("./seeded-fast-check.js", import.meta.url).href;
const { MADRIGAL_FUZZ_SEED: seed } = process.env;

registerHooks({
  resolve: (specifier, context, next) => {
    // Each load of a marked file would leave another entry in the cache of compiled code.
    if (MARK.test(specifier) && specifier.includes(".test.ts"))
      return { url: specifier.replace(MARK, ""), format: "module", shortCircuit: true };
    const isSeeded =
      specifier === "fast-check" && seed !== undefined && context.parentURL !== seeded;
    return isSeeded ? { url: seeded, shortCircuit: true } : next(specifier, context);
  },
});
