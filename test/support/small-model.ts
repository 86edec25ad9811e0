/** The small language model of the tests, fetched once as a person does it: into `node_modules/.cache/madrigal`. */
import { join } from "node:path";
import { fetchModel } from "../../kernel/local-models/fetch-model.ts";
import { KNOWN_MODELS } from "../../kernel/local-models/known-models.ts";
import { projectRoot } from "./child.ts";

/** The environment in which `gguf/smollm2` is the fetched model. */
export const smallModel = {
  MADRIGAL_CACHE: join(projectRoot, "node_modules", ".cache", "madrigal"),
} as const;

/** Fetches what is not there yet; the reason where that does not work. */
export async function missingSmallModel(): Promise<string | undefined> {
  const [known] = KNOWN_MODELS;
  if (known === undefined) return "no model is known";
  const tell = (text: string) => void process.stderr.write(`${text}\n`);
  try {
    await fetchModel(known, { env: { ...process.env, ...smallModel }, tell });
    return undefined;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}
