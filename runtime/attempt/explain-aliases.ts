/** Says which model each alias of a graph stands for, and why, without running anything. */
import type { ExprIr, Ir } from "../../dsl/index.ts";
import type { ModelHandle } from "../agents/models/model-handle.ts";
import { RunError } from "../failure.ts";
import { constant } from "../scheduler/lookup.ts";
import { allAliases, chosenModel, handleOf, type ModelChoices } from "./models.ts";

/** One alias, or the id that a node names directly, and the model that it stands for. */
export interface ExplainedAlias {
  readonly alias: string;
  readonly id: string;
  /** The id in the program. */
  readonly declared: string;
  readonly from: "--model" | "MADRIGAL_MODEL" | "program";
  /** Absent where the model can't be asked; `fault` says why. */
  readonly handle?: ModelHandle;
  readonly fault?: RunError;
}

/** The aliases that the nodes of a graph ask, in their order, by the choices of a command and the environment. */
export function explainAliases(
  ir: Ir,
  choices: Pick<ModelChoices, "cli" | "env" | "folder">,
): readonly ExplainedAlias[] {
  return allAliases(ir).map((alias) => {
    const model = ir.models.find(({ name }) => name === alias);
    const declared = model === undefined ? alias : idsIn(model.value);
    const id = String(chosenModel(alias, choices) ?? declared);
    const { cli = {} } = choices;
    const isChosen = Object.hasOwn(cli, alias);
    const from = isChosen ? "--model" : id === declared ? "program" : "MADRIGAL_MODEL";
    return { alias, id, declared, from, ...handleOrFault(() => handleOf(ir, alias, choices)) };
  });
}

/** The ids and aliases of a list stand behind each other. */
function idsIn(value: ExprIr): string {
  if (value.kind === "list") return value.items.map(idsIn).join(", ");
  return value.kind === "name" ? value.name : String(constant(value));
}

function handleOrFault(make: () => ModelHandle): Pick<ExplainedAlias, "handle" | "fault"> {
  try {
    return { handle: make() };
  } catch (thrown) {
    if (thrown instanceof RunError) return { fault: thrown };
    throw thrown;
  }
}
