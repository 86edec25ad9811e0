/** Keeps the parameters of the notebook's tools, as its cells have declared them last. */
import { scopes } from "../../../runtime/index.ts";
import type { FoundSignature } from "../../types/named/read-signatures.ts";
import type { Notebook } from "../notebook.ts";

const learnt = new WeakMap<Notebook["names"], Map<string, scopes.ReadSignature>>();

/** Keeps what the type service said of tools, for the runs that begin from now on. */
export function learnSignatures(
  { names }: Pick<Notebook, "names">,
  found: readonly FoundSignature[],
): void {
  if (found.length === 0) return;
  const known = learnt.get(names) ?? new Map<string, scopes.ReadSignature>();
  for (const { name, signature } of found) known.set(name, signature);
  if (learnt.has(names)) return;
  learnt.set(names, known);
  scopes.attachSignatures(names, (name) => known.get(name.join(".")));
}
