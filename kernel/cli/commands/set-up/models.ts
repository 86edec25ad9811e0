/** `madrigal models`: lists which models can be asked and which an alias stands for; `fetch` and `remove` install one. */
import { nearest } from "../../../../dsl/index.ts";
import { models } from "../../../../runtime/index.ts";
import { CommandError } from "../../../command-error.ts";
import { EXIT } from "../../../exit-codes.ts";
import { fetchModel, removeModel } from "../../../local-models/fetch-model.ts";
import { KNOWN_MODELS, type KnownModel } from "../../../local-models/known-models.ts";
import type { CommandCall } from "../../arguments.ts";
import type { CliCommand } from "../../command.ts";
import { print, printJson, tell } from "../../output.ts";
import { listModels } from "./models-list.ts";

export const command: CliCommand = {
  options: { model: "texts", try: "flag", json: "flag" },
  arguments: ["[fetch|remove]", "[FILE…]"],
  async run(call) {
    const [verb] = call.arguments;
    if (verb === "fetch") return await fetchNamed(call);
    if (verb === "remove") return removeNamed(call);
    return await listModels(call);
  },
};

async function fetchNamed(call: CommandCall): Promise<number> {
  const known = namedModel(call);
  tell(`madrigal: ${known.description}; ${known.licence}`);
  const fetched = await fetchModel(known, { env: process.env, tell });
  if (call.flag("json")) printJson({ ...fetched, licence: known.licence });
  else print(`${fetched.id} is ready: MADRIGAL_MODEL=${fetched.id} madrigal run FILE`);
  return EXIT.done;
}

function removeNamed(call: CommandCall): number {
  const known = namedModel(call);
  const removed = removeModel(known, process.env);
  if (call.flag("json")) printJson({ name: known.name, removed });
  else if (removed.length > 0) print(removed.map((folder) => `removed: ${folder}`).join("\n"));
  else print(`nothing to remove: ${known.name} is not in ${models.modelCacheFolder(process.env)}`);
  return EXIT.done;
}

function namedModel(call: CommandCall): KnownModel {
  const [verb, name, more] = call.arguments;
  const names = KNOWN_MODELS.map((one) => one.name);
  const hint = `\`madrigal models ${verb} ${names.join("|")}\``;
  if (name === undefined) {
    throw new CommandError("M7103", `\`madrigal models ${verb}\` needs NAME`, { hint });
  }
  if (more !== undefined) {
    throw new CommandError("M7103", `\`${more}\` is one argument too many`, { hint });
  }
  const known = KNOWN_MODELS.find((one) => one.name === name);
  if (known !== undefined) return known;
  const meant = nearest(name, names);
  throw new CommandError("M8149", `\`${name}\` is no model that can be fetched`, {
    hint:
      meant === undefined
        ? `there ${names.length === 1 ? "is" : "are"} ${names.join(", ")}; any other GGUF file is used where it lies: \`gguf/PATH\``
        : `did you mean \`${meant}\`?`,
  });
}
