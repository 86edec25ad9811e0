/** Lists providers, models on this machine, and the models that the aliases of programs stand for. */
import { type Ir, PROVIDERS } from "../../../../dsl/index.ts";
import { models, RunError, workspaceAt } from "../../../../runtime/index.ts";
import { textTable } from "../../../display/text-table.ts";
import { EXIT } from "../../../exit-codes.ts";
import { megabytes } from "../../../local-models/fetch-model.ts";
import { checkSource } from "../../../programs/check-source.ts";
import { readProgram } from "../../../programs/read-program.ts";
import type { CommandCall } from "../../arguments.ts";
import { isError, tellFrames } from "../../frames.ts";
import { print, printJson, tell } from "../../output.ts";
import { readModels } from "../run-and-debug/read-run.ts";

/** A provider, and what its models lack before they can be asked. */
interface ProviderState {
  readonly provider: string;
  readonly isReady: boolean;
  /** The variable or package that is missing, or where what it needs was found. */
  readonly detail: string;
  readonly hint?: string;
}

/** An alias of a program, or an id that `--try` asks without one. */
interface ListedModel extends Omit<models.ExplainedAlias, "from"> {
  readonly from: models.ExplainedAlias["from"] | "fetched";
  readonly file?: string;
  readonly trial?: models.ModelTrial;
}

/** `madrigal models [FILE…]`; with `--try` each model that can be asked is asked once. Ends with 1 where one does not answer. */
export async function listModels(call: CommandCall): Promise<number> {
  const { env } = process;
  const cli = readModels(call.texts("model"));
  const listed: ListedModel[] = [];
  for (const file of call.arguments) listed.push(...(await aliasesOf(file, cli)));
  const tries = call.flag("try");
  const asked = tries && listed.length === 0 ? idsToTry(cli) : listed;
  const aliases = tries ? await withTrials(asked) : asked;
  const providers = providerStates(env);
  const fetched = models.fetchedModels(env);
  if (call.flag("json")) {
    printJson({ providers, fetched, models: aliases.map(listedJson) });
  } else {
    const parts = [providerText(providers), fetchedText(fetched), aliasText(aliases)];
    print(parts.filter((part) => part !== "").join("\n\n"));
  }
  const isWell = aliases.every(({ trial, fault }) =>
    tries ? trial !== undefined && trial.failure === undefined : fault === undefined,
  );
  return isWell ? EXIT.done : EXIT.wrong;
}

// ── what there is ───────────────────────────────────────────────────────────────────────────────

function providerStates(env: NodeJS.ProcessEnv): readonly ProviderState[] {
  const live = PROVIDERS.map((provider): ProviderState => {
    const { handle, fault } = resolved(`${provider}/MODEL`, env);
    if (fault === undefined) {
      return { provider, isReady: true, detail: handle?.provider?.split(" ")[1] ?? "" };
    }
    const { message, hint } = fault;
    const detail = message.replace(/^.*cannot run: /, "");
    return { provider, isReady: false, detail, ...(hint === undefined ? {} : { hint }) };
  });
  return [
    { provider: "rules", isReady: true, detail: "in this process, without a language model" },
    llamaState(env),
    ...live,
  ];
}

function llamaState(env: NodeJS.ProcessEnv): ProviderState {
  const found = models.findLlama(env);
  const name = models.LLAMA_PACKAGE;
  return found === undefined
    ? {
        provider: "gguf",
        isReady: false,
        detail: `the package ${name} is not installed`,
        hint: "`madrigal models fetch smollm2` installs it with a small model",
      }
    : { provider: "gguf", isReady: true, detail: `${name} ${found.version} in ${found.folder}` };
}

function resolved(id: string, env: NodeJS.ProcessEnv): Pick<ListedModel, "handle" | "fault"> {
  try {
    return { handle: models.resolveModel(id, { env, isCommand: true }) };
  } catch (thrown) {
    if (thrown instanceof RunError) return { fault: thrown };
    throw thrown;
  }
}

/** Without a program: what `--model` and MADRIGAL_MODEL name, else what was fetched. */
function idsToTry(cli: Readonly<Record<string, string>>): ListedModel[] {
  const { env } = process;
  const named = Object.entries(cli).map(([alias, id]) => ({ alias, id, from: "--model" as const }));
  const forAll = env.MADRIGAL_MODEL?.trim() ?? "";
  const all = forAll === "" ? [] : [{ alias: "-", id: forAll, from: "MADRIGAL_MODEL" as const }];
  const fetched = models.fetchedModels(env).map(({ name }) => `gguf/${name}`);
  const found = fetched.map((id) => ({ alias: "-", id, from: "fetched" as const }));
  const chosen = [...named, ...all];
  return (chosen.length > 0 ? chosen : found).map((one) => ({
    ...one,
    declared: one.id,
    ...resolved(one.id, env),
  }));
}

async function aliasesOf(
  file: string,
  cli: Readonly<Record<string, string>>,
): Promise<readonly ListedModel[]> {
  const { source, path } = readProgram(file);
  const folder = workspaceAt(process.cwd(), process.env).root;
  const { diagnostics, graphs } = await checkSource({ source, path, types: "named" });
  tellFrames(diagnostics.filter(isError), source);
  const explained = (ir: Ir) =>
    models
      .explainAliases(ir, { cli, env: process.env, folder })
      .map((one) => ({ ...one, file: source.file }));
  const byAlias = new Map(graphs.flatMap(explained).map((one) => [one.alias, one]));
  for (const called of graphs.flatMap((ir) => ir.graphs ?? [])) {
    for (const one of explained(called)) {
      const known = byAlias.get(one.alias);
      const isSame = known === undefined || known.id === one.id;
      const alias = isSame ? one.alias : `${called.name}.${one.alias}`;
      if (!byAlias.has(alias)) byAlias.set(alias, { ...one, alias });
    }
  }
  return [...byAlias.values()];
}

async function withTrials(listed: readonly ListedModel[]): Promise<ListedModel[]> {
  const trials = new Map<string, models.ModelTrial>();
  for (const { id, handle } of listed) {
    if (handle === undefined || trials.has(id)) continue;
    tell(`madrigal: asking ${id} …`);
    trials.set(id, await models.tryModel(handle));
  }
  return listed.map((one) => {
    const trial = trials.get(one.id);
    return trial === undefined ? one : { ...one, trial };
  });
}

// ── what is shown ───────────────────────────────────────────────────────────────────────────────

function providerText(providers: readonly ProviderState[]): string {
  const columns = [
    { title: "provider", cell: ({ provider }: ProviderState) => provider },
    { title: "", cell: ({ isReady }: ProviderState) => (isReady ? "configured" : "missing") },
    { title: "", cell: ({ detail }: ProviderState) => detail },
  ];
  return textTable(columns, providers);
}

function fetchedText(fetched: readonly { name: string; file: string; bytes: number }[]): string {
  return fetched
    .map(({ name, file, bytes }) => `gguf/${name}: ${megabytes(bytes)} MB in ${file}`)
    .join("\n");
}

function aliasText(listed: readonly ListedModel[]): string {
  if (listed.length === 0) return "";
  const columns = [
    { title: "alias", cell: ({ alias }: ListedModel) => alias },
    { title: "model", cell: ({ id }: ListedModel) => id },
    { title: "because of", cell: ({ from }: ListedModel) => from },
    { title: "price of 1M tokens", cell: ({ handle }: ListedModel) => priceText(handle) },
    { title: "", cell: stateText },
  ];
  return textTable(columns, listed);
}

function priceText(handle: models.ModelHandle | undefined): string {
  const price = handle?.price;
  if (price === undefined) return "unknown";
  const { input, output, long } = price;
  const more =
    long === undefined ? "" : ` ($${long.input} and $${long.output} above ${long.above} tokens)`;
  return `$${input} in, $${output} out${more}`;
}

function stateText({ fault, trial }: ListedModel): string {
  if (fault !== undefined) return `${fault.code}: ${fault.message}`;
  if (trial === undefined) return "ready";
  const { failure, ms, text, inputTokens = "?", outputTokens = "?" } = trial;
  if (failure !== undefined) return `${failure.code}: ${failure.message}`;
  const line = text.replaceAll(/\s+/g, " ").trim();
  return `${(ms / 1000).toFixed(2)}s, ${inputTokens} + ${outputTokens} tokens: ${line}`;
}

function listedJson({ alias, id, declared, from, file, handle, fault, trial }: ListedModel) {
  return {
    ...(file === undefined ? {} : { file }),
    alias,
    id,
    declared,
    from,
    source: handle?.source ?? null,
    price: handle?.price ?? null,
    ...(fault === undefined
      ? {}
      : { error: { code: fault.code, message: fault.message, hint: fault.hint } }),
    ...(trial === undefined ? {} : { trial }),
  };
}
