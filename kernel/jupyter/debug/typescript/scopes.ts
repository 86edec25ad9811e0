/** Lists the scopes of a frame: its own variables first, those of the notebook last. */
import type { Debugger, Runtime } from "node:inspector";
import type { VariableScope } from "../protocol.ts";
import type { MainInspector } from "./main-inspector.ts";
import { CELLS } from "./scripts.ts";
import type { StopValues } from "./values.ts";

/** As people call what the inspector has; what is not here is the whole process's. */
const TITLES: ReadonlyMap<string, string> = new Map([
  ["local", "Local"],
  ["block", "Block"],
  ["catch", "Catch"],
  ["closure", "Closure"],
  ["module", "Module"],
]);

/** The parameters of the function that a cell is: kernel/types/cells/README.md. */
const OF_CELLS: ReadonlySet<string> = new Set([
  "exports",
  "require",
  "importModule",
  "importMeta",
  "__filename",
  "__dirname",
  "arguments",
]);
/** The names that hold a cell's value until it is shown. */
const OF_NAMES: ReadonlySet<string> = new Set(["tsLastExpr"]);

export interface ScopeParts {
  readonly inspector: Pick<MainInspector, "ask" | "evaluate">;
  readonly values: StopValues;
}

/**
 * Returns the scopes of a call that are not empty; a frame that awaits has only the notebook's
 * names.
 */
export async function scopesOf(
  call: Debugger.CallFrame | undefined,
  { inspector, values }: ScopeParts,
): Promise<readonly VariableScope[]> {
  const own = call === undefined ? [] : await ownScopes(call, { inspector, values });
  const { objectId } = await inspector.evaluate(`${CELLS}?.cells?.names`);
  if (objectId === undefined) return own;
  return [...own, scope("Notebook", values.refer({ objectId, hidden: OF_NAMES }))];
}

async function ownScopes(
  call: Debugger.CallFrame,
  { inspector, values }: ScopeParts,
): Promise<readonly VariableScope[]> {
  const found: VariableScope[] = [];
  const used = new Map<string, number>();
  for (const { type, object } of call.scopeChain) {
    const title = TITLES.get(type);
    const { objectId } = object;
    if (title === undefined || objectId === undefined) continue;
    const beside = type === "local" ? besideLocals(call) : [];
    const isEmpty = beside.length === 0 && (await holdsNothing(objectId, inspector));
    if (isEmpty) continue;
    const count = (used.get(title) ?? 0) + 1;
    used.set(title, count);
    const name = count === 1 ? title : `${title} ${count}`;
    found.push(scope(name, values.refer({ objectId, hidden: OF_CELLS, beside })));
  }
  return found;
}

function scope(name: string, variablesReference: number): VariableScope {
  return { name, variablesReference, expensive: false };
}

/**
 * Returns `this` and the return value of a call, which the inspector does not list as variables.
 */
function besideLocals(
  call: Debugger.CallFrame,
): readonly (readonly [string, Runtime.RemoteObject])[] {
  const { returnValue, this: self } = call;
  const isOwn = self.type === "object" && self.subtype !== "null" && self.className !== "global";
  return [
    ...(isOwn && self.className !== "Object" ? [["this", self] as const] : []),
    ...(returnValue === undefined ? [] : [["(returns)", returnValue] as const]),
  ];
}

async function holdsNothing(
  objectId: string,
  inspector: ScopeParts["inspector"],
): Promise<boolean> {
  const { result } = await inspector.ask<Runtime.GetPropertiesReturnType>("Runtime.getProperties", {
    objectId,
    ownProperties: true,
  });
  return result.every(({ name }) => OF_CELLS.has(name));
}
