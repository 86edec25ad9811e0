/** Chooses and settles which model each alias of a graph stands for, before the run starts. */
import {
  type ExprIr,
  type Ir,
  type ModelIr,
  type NodeIr,
  nearest,
  positionAt,
} from "../../dsl/index.ts";
import { resolveModel } from "../agents/models/model.ts";
import type { ModelChoice, ModelHandle, ModelSettings } from "../agents/models/model-handle.ts";
import { settingsFor } from "../agents/models/model-settings.ts";
import { RunError } from "../failure.ts";
import { perGraph } from "../per-graph.ts";
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
export function runModels(ir: Ir, choices: ModelChoices): RunModels {
  const own = handlesOf(ir, choices);
  const called = (ir.graphs ?? []).map(({ source = ir.source, ...graph }): GraphModels => {
    const placed = source === undefined ? graph : { ...graph, source };
    return {
      name: graph.name,
      hash: graph.hash,
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
  const handlesIn = ({ hash }: Ir) => called.find((one) => one.hash === hash)?.handles ?? own;
  return {
    ids: { ...idsOf(own), ...Object.fromEntries(called.flatMap((one) => otherIds(one, own))) },
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
    named: (name) =>
      [own, ...called.map(({ handles }) => handles)]
        .find((handles) => handles.has(name))
        ?.get(name),
  };
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
  readonly handles: Handles;
}

function handlesOf(ir: Ir, choices: ModelChoices): Handles {
  const handles = new Map<string, ModelHandle>();
  for (const alias of allAliases(ir)) handles.set(alias, handleOf(ir, alias, choices));
  return handles;
}

function idsOf(handles: Handles): Record<string, string> {
  return Object.fromEntries([...handles].map(([alias, { id }]) => [alias, id]));
}

/**
 * Returns the ids under which aliases of a called graph are stored, where the calling graph lacks the name or means
 * another model.
 */
function otherIds({ name, handles }: GraphModels, own: Handles): readonly [string, string][] {
  return [...handles].flatMap(([alias, { id }]): [string, string][] =>
    own.get(alias)?.id === id ? [] : [[`${name}.${alias}`, id]],
  );
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
const allAliases = perGraph((ir) => [
  ...new Set([...ir.nodes.flatMap(aliasesOf), ...consentAliases(ir)]),
]);

/** The models that a node asks: its own, and those that judge for it. */
function aliasesOf({ model, ensures, every }: NodeIr): readonly string[] {
  const judges = [...ensures.map(({ by }) => by), every?.by];
  return [...(model === undefined ? [] : [aliasOf(model)]), ...judges.flatMap((by) => by ?? [])];
}

/** The models that judge approvals; another name behind `by` is a function's or a person's. */
function consentAliases({ approvals, nodes, models }: Pick<Ir, "approvals" | "nodes" | "models">) {
  const all = [...approvals, ...nodes.flatMap((node) => node.approvals)];
  return all.flatMap(({ consent: { by } }) =>
    by !== undefined && models.some(({ name }) => name === by) ? [by] : [],
  );
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

function handleOf(ir: Ir, alias: string, choices: ModelChoices): ModelHandle {
  const declared = ir.models.find(({ name }) => name === alias);
  const id = declared === undefined ? alias : String(constant(declared.value));
  const { env = {}, cli, folder } = choices;
  const isCommand = cli !== undefined;
  const choice: ModelChoice = chooseModelId(alias, id, choices);
  const resolve = () => {
    const settings = declared?.options && declaredSettings(declared.options, id, choice);
    return resolveModel(choice, {
      env,
      alias,
      isCommand,
      ...(settings === undefined ? {} : { settings }),
      ...(folder === undefined ? {} : { folder }),
    });
  };
  // What a call says overrides the declaration, so its place says nothing then.
  const overridden = choices.run?.[alias] ?? cli?.[alias];
  return overridden === undefined ? withDeclarationPlace(ir, declared, resolve) : resolve();
}

function declaredSettings(options: ExprIr, declared: string, chosen: ModelChoice): ModelSettings {
  const settings = constant(options) as Readonly<Record<string, unknown>>;
  return settingsFor(settings, { declared, chosen });
}

function withDeclarationPlace<T>(ir: Ir, declared: ModelIr | undefined, resolve: () => T): T {
  try {
    return resolve();
  } catch (thrown) {
    throw thrown instanceof RunError ? atDeclaration(thrown, ir, declared) : thrown;
  }
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
interface ModelChoices {
  /** `run({ models })`: by alias. */
  readonly run?: Readonly<Record<string, ModelChoice>>;
  /** `--model ALIAS=ID`: by alias. */
  readonly cli?: Readonly<Record<string, string>>;
  /** The environment; its `MADRIGAL_MODEL` counts for every alias. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The folder from which packages of providers are found. */
  readonly folder?: string;
}

/** The model that runs for `alias`: the run's > the command line's > MADRIGAL_MODEL > the declared one. */
export function chooseModelId(
  alias: string,
  declaredId: string,
  { run = {}, cli = {}, env = {} }: ModelChoices,
): ModelChoice {
  const forAll = env.MADRIGAL_MODEL?.trim();
  return (
    own(run, alias) ??
    own(cli, alias) ??
    (forAll === undefined || forAll === "" ? declaredId : forAll)
  );
}

// An alias may be called `constructor`.
function own<T>(choices: Readonly<Record<string, T>>, alias: string): T | undefined {
  return Object.hasOwn(choices, alias) ? choices[alias] : undefined;
}
