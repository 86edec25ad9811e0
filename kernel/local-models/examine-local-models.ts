/** Examines what models on this machine need, for `madrigal doctor`: the package that runs them, and files. */
import { models } from "../../runtime/index.ts";
import { type DoctorFinding, note, ok } from "../lab/finding.ts";
import { megabytes } from "./fetch-model.ts";

/** Looks for the package and the fetched models; other GGUF files are found by the programs that name them. */
export function examineLocalModels(env: NodeJS.ProcessEnv): DoctorFinding {
  const name = models.LLAMA_PACKAGE;
  const found = models.findLlama(env);
  const fetched = models.fetchedModels(env);
  const files = fetched
    .map(({ name, bytes }) => `gguf/${name} (${megabytes(bytes)} MB)`)
    .join(", ");
  const hint = "only for models on this machine: run: madrigal models fetch smollm2";
  if (found === undefined) {
    const left = files === "" ? "" : `, though there is ${files}`;
    return note(PART, `the package ${name} is not installed${left}`, hint);
  }
  if (!models.isUsableLlama(found)) {
    const needed = models.LLAMA_VERSION;
    const other = `${name} ${found.version} in ${found.folder} is not of the major version of ${needed}`;
    return note(PART, other, `only for models on this machine: run: npm install ${name}@${needed}`);
  }
  const where = `${name} ${found.version} in ${found.folder}`;
  return files === ""
    ? note(PART, `${where}, and no model was fetched`, hint)
    : ok(PART, `${files} by ${where}`);
}

const PART = "local models";
