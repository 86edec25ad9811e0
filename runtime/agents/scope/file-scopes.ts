/** Keeps the scopes of several files: a called graph sees the TypeScript of its own file. */
import { layeredScope } from "./layered-scope.ts";
import type { Scope } from "./scope.ts";

const FILES = Symbol("scopes of other files");

interface WithFiles {
  readonly [FILES]?: ReadonlyMap<string, Scope>;
}

/** A scope that knows what other files bring, by the name that `check` gave them. */
export function withFileScopes(scope: Scope, files: ReadonlyMap<string, Scope>): Scope {
  return { ...scope, [FILES]: files } as Scope;
}

/** What other files bring to a scope. */
export function fileScopesOf(scope: Scope): readonly Scope[] {
  return [...((scope as WithFiles)[FILES]?.values() ?? [])];
}

/** What a graph of this file sees: what its file brings, before what there is anyway. */
export function scopeOfFile(scope: Scope, file: string | undefined): Scope {
  const own = file === undefined ? undefined : (scope as WithFiles)[FILES]?.get(file);
  return layeredScope(scope, own);
}
