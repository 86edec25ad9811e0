/** `npm start`, the main job: answers a question from the documents of the installed packages, citing them. */
import { fileURLToPath } from "node:url";
import { keepCompiled } from "./compile-cache.ts";

const QUESTION = "How do I handle validation errors in zod without a try/catch block?";
const FILE = "../runtime/library/deep-search.madrigal";
const USAGE = `npm start [-- "QUESTION"]

Answers a question from the README and documentation files of installed packages, citing them. Without a question
it answers one of ours. Models: \`rules\`, which needs no key; MADRIGAL_MODEL names another. MADRIGAL_DOCS names
the folder of packages to read; without it, node_modules.
`;

const words = process.argv.slice(2);
if (words[0] === "--help" || words[0] === "-h") {
  process.stdout.write(USAGE);
} else {
  keepCompiled();
  // Loaded only now, so that the cache has it.
  const { deepSearch } = await import("./deep-search.ts");
  await deepSearch({
    question: words.length === 0 ? QUESTION : words.join(" "),
    file: fileURLToPath(new URL(FILE, import.meta.url)),
  });
}
