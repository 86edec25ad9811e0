/** `npm start`, the main job: runs the notebook that answers a question from documents, citing them. */
import { fileURLToPath } from "node:url";
import { keepCompiled } from "./startup/keep-compiled.js";

const FILE = "../notebooks/deep-search.ipynb";
const USAGE = `npm start [-- "QUESTION"]

Runs notebooks/deep-search.ipynb in our kernel: a graph of agents answers a question from the README and documentation
files of installed packages, citing them. Without a question it answers the notebook's own. The executed notebook and a
page of it lie where the last two lines say. Models: \`rules\`, which needs no key; MADRIGAL_MODEL names another.
MADRIGAL_DOCS names the folder of packages to read; without it, node_modules.
`;

const words = process.argv.slice(2);
if (words[0] === "--help" || words[0] === "-h") {
  process.stdout.write(USAGE);
} else {
  keepCompiled();
  // Loaded only now, so that the cache has it.
  const { mainJob } = await import("./startup/main-job.ts");
  const file = fileURLToPath(new URL(FILE, import.meta.url));
  await mainJob(words.length === 0 ? { file } : { file, question: words.join(" ") });
}
