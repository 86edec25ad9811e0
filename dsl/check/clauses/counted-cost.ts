/** Warns of a limit of cost over a model whose price nobody knows. */
import type { ExprIr, Ir, LimitIr, ModelIr } from "../../ir/ir.ts";
import { listedPrice } from "../../vocabulary/listed-models.ts";
import { readModelId } from "../../vocabulary/model-ids.ts";
import type { SoundGraph } from "../context.ts";

/**
 * Warns of a model that works under a limit of cost and whose price is neither declared nor listed: a run does not call it.
 * It is no error, as the run may be given its price or another model, and the workspace may have one.
 */
export function checkCountedCost({ ir, symbols, report }: SoundGraph): void {
  for (const { name, id } of uncounted(ir)) {
    const { own } = symbols.file;
    const decl = own.models.find((one) => one.name.text === name);
    report({
      code: "M4111",
      severity: "warning",
      message: `a limit of cost can't count \`${id}\`: its price is not known`,
      span: decl?.name.span ?? symbols.graph.name.span,
      hint: `say it in the declaration, \`{ price in $3, out $15 }\`: dollars for a million tokens, \`$0\` where it costs nothing`,
    });
  }
}

interface UncountedModel {
  /** The alias under which it is declared. */
  readonly name: string;
  readonly id: string;
}

function uncounted({ limit, nodes, models }: Ir): readonly UncountedModel[] {
  const bound = nodes.filter((node) => limitsCost(limit) || limitsCost(node.limit));
  const used = new Set(bound.flatMap(({ model }) => (model?.kind === "name" ? model.name : [])));
  // Lists lead on to what they name.
  for (const name of used) for (const next of namesIn(models, name)) used.add(next);
  return models
    .filter(({ name, price }) => used.has(name) && price === undefined)
    .flatMap(({ name, value }) =>
      itemsOf(value).flatMap((item) => {
        const id = item.kind === "literal" ? String(item.value) : "";
        return isUnknown(id) ? [{ name, id }] : [];
      }),
    );
}

function limitsCost(limit: LimitIr | undefined): boolean {
  return limit?.quantities.some(({ unit }) => unit === "usd") === true;
}

function namesIn(models: readonly ModelIr[], name: string): readonly string[] {
  const value = models.find((model) => model.name === name)?.value;
  return itemsOf(value).flatMap((item) => (item.kind === "name" ? item.name : []));
}

function itemsOf(value: ExprIr | undefined): readonly ExprIr[] {
  if (value === undefined) return [];
  return value.kind === "list" ? value.items : [value];
}

/** Returns whether nobody has listed the price; what can't run at all is reported as that. */
function isUnknown(id: string): boolean {
  const { kind } = readModelId(id);
  return (kind === "provider" || kind === "package") && listedPrice(id) === undefined;
}
