/** `npm start`, the main job: answers a question from the documents of the installed packages, citing them. */
import { fileURLToPath } from "node:url";
import { keepCompiled } from "./compile-cache.ts";

const QUESTION =
  "How do I append many rows to DuckDB, and how do I stream the rows of a big result?";
const FILE = "../runtime/library/deep-search.madrigal";

keepCompiled();
// Loaded only now, so that the cache has it.
const { deepSearch } = await import("./deep-search.ts");
await deepSearch({
  question: process.argv.slice(2).join(" ") || QUESTION,
  file: fileURLToPath(new URL(FILE, import.meta.url)),
});
