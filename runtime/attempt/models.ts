/** Chooses and settles which model each alias of a graph stands for, before the run starts. */
import {
  type ExprIr,
  GUARD,
  type Ir,
  type ModelIr,
  memorySettings,
  type NodeIr,
  nearest,
  planName,
  positionAt,
} from "../../dsl/index.ts";
import { RunCassettes } from "../agents/models/cassette/cassette-file.ts";
import { recordInto } from "../agents/models/cassette/cassette-handle.ts";
import { resolveModel } from "../agents/models/model.ts";
import type {
  GivenModel,
  ModelChoice,
  ModelEnvironment,
  ModelHandle,
  ModelSettings,
} from "../agents/models/model-handle.ts";
import { settingsFor } from "../agents/models/model-settings.ts";
import { priceOf, type RunPrices } from "../agents/models/prices.ts";
import { FailureError, RunError } from "../failure.ts";
import { perGraph } from "../per-graph.ts";
import { summaryModel } from "../scheduler/attempts/attempt-view.ts";
import { constant } from "../scheduler/lookup.ts";

export interface RunModels {
  /** The id of each alias, as stored with the run; `Graph.alias` where a called graph means another model by it. */
  readonly ids: Readonly<Record<string, string>>;
  /** The model of a node of this graph: its own file says what an alias stands for. */
  of(node: NodeIr, ir: Ir): ModelHandle;
  /** Of a judge: what is named behind `by`, else the node's own, if it has one. */
  judge(of: JudgedNode): ModelHandle | undefined;
  /** Makes a model ready that a person chose for a node; the name under which it is known from then on. */
  take(choice: ModelChoice): string;
  /** The embedding model of a memory of this graph; throws where it is not configured. */
  embedder(ir: Ir, name: string): ModelHandle;
  /** Of an approval: the model of that name, where a model has it. */
  named(name: string): ModelHandle | undefined;
}

/** A node of a graph, and who judges for it. */
export interface JudgedNode {
  readonly node: NodeIr;
  readonly ir: Ir;
  readonly by: string | undefined;
}

/** Resolves the models of all nodes, called graphs among them; one that is not configured is M8101 here, before anything runs. */
export function runModels(ir: Ir, given: ModelChoices): RunModels {
  const choices = { ...given, cassettes: given.cassettes ?? new RunCassettes() };
  const own = handlesOf(ir, choices);
  const called = (ir.graphs ?? []).map(({ source = ir.source, ...graph }): GraphModels => {
    const placed = source === undefined ? graph : { ...graph, source };
    return {
      name: graph.name,
      hash: graph.hash,
      plans: planName(graph),
      handles: handlesOf(placed, choicesIn(graph, choices)),
    };
  });
  const late = new Map<string, ModelHandle>();
  // In another process than the one in which it was chosen, it is made ready when it is asked.
  const lateOf = (alias: string) => {
    const handle = late.get(alias) ?? handleOf(ir, alias, choices);
    late.set(alias, handle);
    return handle;
  };
  const embedders = new Map<string, ModelHandle>();
  const isOwnPlan = ({ name }: Ir) => name === planName(ir);
  const handlesIn = (graph: Ir) => {
    const found =
      called.find(({ hash }) => hash === graph.hash) ??
      (isOwnPlan(graph) ? undefined : called.find(({ plans }) => plans === graph.name));
    return found?.handles ?? own;
  };
  return {
    ids: {
      ...embedderIds(ir, choices),
      ...idsOf(own),
      ...Object.fromEntries(called.flatMap((one) => otherIds(one, own))),
    },
    take: (choice) => {
      const name = typeof choice === "string" ? choice : `given-${late.size + 1}`;
      if (!own.has(name)) late.set(name, handleOf(ir, name, withChoice(choices, name, choice)));
      return name;
    },
    of: ({ model, name }, ir) => {
      const alias = model === undefined ? undefined : aliasOf(model);
      const handle = alias === undefined ? undefined : (handlesIn(ir).get(alias) ?? lateOf(alias));
      if (handle === undefined) throw new Error(`M9000: no model for \`${name}\``);
      return handle;
    },
    judge: ({ node: { model }, ir, by }) => {
      const alias = by ?? (model === undefined ? undefined : aliasOf(model));
      return alias === undefined ? undefined : handlesIn(ir).get(alias);
    },
    embedder: (of, name) => {
      const key = `${of.hash} ${name}`;
      const handle = embedders.get(key) ?? embedderOf(of, name, choices, ir);
      embedders.set(key, handle);
      return handle;
    },
    named: (name) =>
      [own, ...called.map(({ handles }) => handles)]
        .find((handles) => handles.has(name))
        ?.get(name),
  };
}

/** The ids of embedding models as far as they are configured: a memory that can't be embedded is searched by words. */
function embedderIds(ir: Ir, choices: ModelChoices): Record<string, string> {
  const names = new Set(ir.memories.flatMap((memory) => memorySettings(memory).embed ?? []));
  return Object.fromEntries(
    [...names].flatMap((name): [string, string][] => {
      try {
        return [[name, idOf(embedderOf(ir, name, choices, ir))]];
      } catch (thrown) {
        if (thrown instanceof RunError) return [];
        throw thrown;
      }
    }),
  );
}

/** MADRIGAL_MODEL names a language model, but for `rules`, which is both. */
function embedderOf(graph: Ir, name: string, choices: ModelChoices, root: Ir): ModelHandle {
  const { MADRIGAL_MODEL, ...others } = choices.env ?? {};
  const env = MADRIGAL_MODEL?.trim() === "rules" ? choices.env : others;
  const all = { ...choices, ...(env === undefined ? {} : { env }), isEmbedding: true };
  return handleOf(graph, name, graph.hash === root.hash ? all : choicesIn(graph, all));
}

function withChoice(choices: ModelChoices, name: string, choice: ModelChoice): ModelChoices {
  return typeof choice === "string"
    ? choices
    : { ...choices, run: { ...choices.run, [name]: choice } };
}

type Handles = ReadonlyMap<string, ModelHandle>;

interface GraphModels {
  readonly name: string;
  readonly hash: string;
  /** The name of the graphs that it makes of plans, whose nodes mean its models. */
  readonly plans: string;
  readonly handles: Handles;
}

function handlesOf(ir: Ir, choices: ModelChoices): Handles {
  const handles = new Map<string, ModelHandle>();
  for (const alias of allAliases(ir)) handles.set(alias, handleOf(ir, alias, choices));
  return handles;
}

function idsOf(handles: Handles): Record<string, string> {
  return Object.fromEntries([...handles].map(([alias, handle]) => [alias, idOf(handle)]));
}

function idOf({ id, fallbacks = [] }: ModelHandle): string {
  return fallbacks.length === 0 ? id : JSON.stringify([id, ...fallbacks.map((one) => one.id)]);
}

/**
 * Returns the ids under which aliases of a called graph are stored, where the calling graph lacks the name or means
 * another model.
 */
function otherIds({ name, handles }: GraphModels, own: Handles): readonly [string, string][] {
  return [...handles].flatMap(([alias, handle]): [string, string][] => {
    const same = own.get(alias);
    return same !== undefined && idOf(same) === idOf(handle)
      ? []
      : [[`${name}.${alias}`, idOf(handle)]];
  });
}

/** `Graph.alias` is said of that graph alone, an alias of every graph that has it. */
function choicesIn({ name }: Pick<Ir, "name">, choices: ModelChoices): ModelChoices {
  const { run = {} } = choices;
  const own = Object.entries(run).flatMap(([key, choice]) =>
    key.startsWith(`${name}.`) ? [[key.slice(name.length + 1), choice] as const] : [],
  );
  return { ...choices, run: { ...run, ...Object.fromEntries(own) } };
}

/** The models of a graph, each once. */
export const allAliases = perGraph((ir) => [
  ...new Set([...ir.nodes.flatMap(aliasesOf), ...consentAliases(ir)]),
]);

/** The models that a node asks: its own, those that judge for it, and the one that summarises. */
function aliasesOf({ model, ensures, every, context }: NodeIr): readonly string[] {
  const judges = [...ensures.map(({ by }) => by), every?.by, summaryModel(context)];
  return [...(model === undefined ? [] : [aliasOf(model)]), ...judges.flatMap((by) => by ?? [])];
}

/** The models that judge approvals and calls of tools; another name behind `by` is a function's or a person's. */
function consentAliases({ approvals, nodes, models, config }: Ir) {
  const all = [...approvals, ...nodes.flatMap((node) => node.approvals)];
  const judges = [...all.map(({ consent: { by } }) => by), guardJudge(config)];
  return judges.flatMap((by) =>
    by !== undefined && models.some(({ name }) => name === by) ? [by] : [],
  );
}

function guardJudge(config: Ir["config"]): string | undefined {
  const guard = config.find(({ key }) => key === GUARD)?.value;
  const judge =
    guard?.kind === "object" ? guard.entries.find(({ key }) => key === "judge")?.value : undefined;
  return judge?.kind === "name" ? judge.name : undefined;
}

/** Throws for an alias in `run({ models })` that the graph lacks: a misspelt one would run another model. */
export function assertAliases(ir: Ir, given: Readonly<Record<string, unknown>> = {}): void {
  const known = namedAliases(ir);
  // Where no model is asked, there is none to be mistaken for.
  if (known.length === 0) return;
  for (const alias of Object.keys(given)) {
    if (known.includes(alias)) continue;
    const near = nearest(alias, known);
    const plain = known.filter((name) => !name.includes("."));
    const all = [...new Set(plain)].map((name) => `\`${name}\``).join(", ");
    throw new RunError("M8113", `\`${ir.name}\` has no model \`${alias}\``, {
      hint:
        near === undefined
          ? `its models are ${all}`
          : `did you mean \`${near}\`? Its models are ${all}`,
    });
  }
}

const namedAliases = perGraph((ir) =>
  [ir, ...(ir.graphs ?? [])].flatMap(({ name, models, nodes }) => {
    const own = [...models.map((model) => model.name), ...nodes.flatMap(aliasesOf)];
    return [...own, ...own.map((alias) => `${name}.${alias}`)];
  }),
);

/** An alias, or the id itself where a node names one directly. */
function aliasOf(model: ExprIr): string {
  return model.kind === "name" ? model.name : String(constant(model));
}

/** The model of an alias, of a list the first one with the others behind it; throws where it can't be asked. */
export function handleOf(ir: Ir, alias: string, choices: ModelChoices): ModelHandle {
  const asked = candidatesOf(ir, alias, choices);
  const handles = asked.map((one) => handleOfCandidate(ir, one, choices));
  if (handles.every((one) => one instanceof RunError))
    throw handles[0] ?? new RunError("M8103", `\`${alias}\` names no model`);
  const [first, ...fallbacks] = handles.map((handle, index) =>
    handle instanceof RunError ? unusable(asked[index]?.choice, handle) : handle,
  );
  if (first === undefined) throw new Error(`M9000: no model for \`${alias}\``);
  return fallbacks.length === 0 ? first : { ...first, fallbacks };
}

/** A model that an alias may stand for, and the declaration whose settings it has. */
interface Candidate {
  readonly alias: string;
  readonly choice: ModelChoice;
  readonly declared?: ModelIr | undefined;
  /** The declaration says that it is this model; else a call or the environment does. */
  readonly isDeclared: boolean;
}

function candidatesOf(ir: Ir, alias: string, choices: ModelChoices): readonly Candidate[] {
  const declared = ir.models.find(({ name }) => name === alias);
  const own = declaredCandidates(ir, alias, choices);
  const chosen = chosenModel(alias, choices);
  if (chosen === undefined) return own;
  const list = listed(chosen);
  // A run that goes on names the models that it began with: those of the declaration have its settings and price.
  if (isSameList(list, own)) return own;
  return list.map((choice) => ({ alias, choice, declared, isDeclared: false }));
}

function declaredSettings(
  declared: ModelIr,
  chosen: ModelChoice,
  isDeclared: boolean,
): ModelSettings | undefined {
  if (declared.options === undefined) return undefined;
  const settings = constant(declared.options) as Readonly<Record<string, unknown>>;
  const first = itemsOf(declared).find(({ kind }) => kind !== "name");
  const own = first === undefined ? "" : String(constant(first)).trim();
  return settingsFor(settings, { declared: isDeclared ? String(chosen) : own, chosen });
}

function isSameList(list: readonly ModelChoice[], own: readonly Candidate[]): boolean {
  return list.length === own.length && list.every((one, index) => one === own[index]?.choice);
}

function declaredCandidates(ir: Ir, alias: string, choices: ModelChoices): readonly Candidate[] {
  const declared = ir.models.find(({ name }) => name === alias);
  if (declared === undefined) return [{ alias, choice: alias, isDeclared: true }];
  return itemsOf(declared).flatMap((item) =>
    item.kind === "name"
      ? candidatesOf(ir, item.name, choices)
      : [{ alias, choice: String(constant(item)).trim(), declared, isDeclared: true }],
  );
}

function itemsOf({ value }: ModelIr): readonly ExprIr[] {
  return value.kind === "list" ? value.items : [value];
}

function handleOfCandidate(
  ir: Ir,
  { alias, choice, declared, isDeclared }: Candidate,
  { env = {}, cli, folder, prices, cassettes, record, isEmbedding }: ModelChoices,
): ModelHandle | RunError {
  try {
    const settings = declared && declaredSettings(declared, choice, isDeclared);
    const around: ModelEnvironment = {
      env,
      alias,
      isCommand: cli !== undefined,
      ...(settings === undefined ? {} : { settings }),
      ...(isEmbedding === undefined ? {} : { isEmbedding }),
      ...(folder === undefined ? {} : { folder }),
      ...(cassettes === undefined ? {} : { cassettes }),
    };
    const handle = resolveModel(choice, around);
    // A replay has the price of its recording, or none, as it had then.
    const price =
      handle.source === "cassette"
        ? handle.price
        : priceOf(handle.id, prices, isDeclared ? declared?.price : undefined);
    const priced = { ...handle, ...(price === undefined ? {} : { price }) };
    return record === undefined ? priced : recordInto(priced, record, around);
  } catch (thrown) {
    if (!(thrown instanceof RunError)) throw thrown;
    // What a call says overrides the declaration, so its place says nothing then.
    return isDeclared ? atDeclaration(thrown, ir, declared) : thrown;
  }
}

/** A model of a list that can't be asked here: the next one is, and the trace says why. */
function unusable(choice: ModelChoice | undefined, { code, message, hint }: RunError): ModelHandle {
  const id = typeof choice === "string" ? choice : "";
  const failure = {
    class: "model",
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
  } as const;
  const fail = () => Promise.reject(new FailureError(failure));
  const named = { specificationVersion: "v4", provider: "madrigal", modelId: id } as const;
  const model = { ...named, supportedUrls: {}, doGenerate: fail, doStream: fail };
  return { id, source: "live", model, price: { input: 0, output: 0, source: "table" } };
}

/** Adds the place of the declaration to an error about a model. */
function atDeclaration(error: RunError, ir: Ir, declared: ModelIr | undefined): RunError {
  const [start] = declared?.span ?? [];
  if (ir.source === undefined || start === undefined) return error;
  const { line, column } = positionAt(ir.source, start);
  const { code, message, hint } = error;
  const place = `${ir.source.file}:${line}:${column}`;
  return new RunError(code, `${place} ${message}`, { hint, cause: error });
}

/** The choices of a model, strongest first after those of the run itself. */
export interface ModelChoices {
  /** `run({ models })`: by alias. */
  readonly run?: Readonly<Record<string, GivenModel>>;
  /** `--model ALIAS=ID`: by alias. */
  readonly cli?: Readonly<Record<string, string>>;
  /** The environment; its `MADRIGAL_MODEL` counts for every alias. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The folder of the program: packages of providers are found from it, and paths of cassettes start from it. */
  readonly folder?: string;
  readonly prices?: RunPrices;
  readonly cassettes?: RunCassettes;
  /** The file into which all models of the run are recorded. */
  readonly record?: string;
  /** Embedding models are meant. */
  readonly isEmbedding?: boolean;
}

/** The model that a call or the environment names for `alias`: the run's > the command line's > MADRIGAL_MODEL. */
export function chosenModel(
  alias: string,
  { run = {}, cli = {}, env = {} }: ModelChoices,
): GivenModel | undefined {
  const forAll = env.MADRIGAL_MODEL?.trim();
  return own(run, alias) ?? own(cli, alias) ?? (forAll === "" ? undefined : forAll);
}

/** Several models are stored as a JSON list of their ids, with which no id begins. */
function listed(chosen: GivenModel): readonly ModelChoice[] {
  if (Array.isArray(chosen)) return chosen;
  const one = chosen as ModelChoice;
  return typeof one === "string" && one.startsWith("[") ? JSON.parse(one) : [one];
}

// An alias may be called `constructor`.
function own<T>(choices: Readonly<Record<string, T>>, alias: string): T | undefined {
  return Object.hasOwn(choices, alias) ? choices[alias] : undefined;
}
