/**
 * `npm test -- ARG …`: vitest with the project's configuration. `--seed N` is ours: it runs one random program of the
 * laws again, in all its schedules, and makes it smaller where it breaks one.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const root = join(import.meta.dirname, "..", "..");
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const words = process.argv.slice(2);
const at = words.indexOf("--seed");
const [, seed] = at === -1 ? [] : words.splice(at, 2);
const isSeed = seed !== undefined && /^\d+$/.test(seed);
if (at !== -1 && !isSeed) {
  console.error("`--seed` needs the number of a program: npm test -- --seed 17");
  process.exit(2);
}
if (seed !== undefined) process.env.MADRIGAL_SEED = seed;
// A failure in CI can be repeated; a person's runs try other cases each time.
if (process.env.CI !== undefined) process.env.MADRIGAL_FUZZ_SEED ??= "20";
const where = isSeed ? ["test/runtime/laws/laws.test.ts"] : [];
const config = ["--config", "test/support/vitest.config.ts"];
process.argv = [process.argv[0] ?? "node", vitest, "run", ...config, ...where, ...words];
await import(pathToFileURL(vitest).href);
