/** Remembers the imports of graphs, so that they follow changes of their files. */
import type { Scope } from "../../../runtime/index.ts";
import type { AtWork } from "../notebook.ts";

/** Makes the imports of graphs follow changes of their files. */
export function keepFresh(scope: Scope, graphs: readonly string[], { notebook }: AtWork): void {
  const { imported } = notebook;
  for (const known of imported) if (known.scope.deref() === undefined) imported.delete(known);
  imported.add({ scope: new WeakRef(scope), graphs });
}
