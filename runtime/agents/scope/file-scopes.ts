/** Keeps the scopes of several files: a called graph sees the TypeScript of its own file. */
import { layeredScope, scopeForOtherFiles } from "./layered-scope.ts";
import type { Scope } from "./scope.ts";

const FILES = Symbol("scopes of other files");

interface WithFiles {
  readonly [FILES]?: ReadonlyMap<string, Scope>;
}

/** A scope that knows what other files bring, by the name that `check` gave them. */
export function withFileScopes(scope: Scope, files: ReadonlyMap<string, Scope>): Scope {
  return { ...scope, [FILES]: files } as Scope;
}

/** Returns the scopes that other files add to a scope. */
export function fileScopesOf(scope: Scope): readonly Scope[] {
  return [...((scope as WithFiles)[FILES]?.values() ?? [])];
}

/**
 * Returns the scope of a graph of another file: what that file imports, before the scope that the file is known to have,
 * before what `scope` is to other files.
 */
export function scopeOfFile(scope: Scope, file: string, known: Scope | undefined): Scope {
  const own = (scope as WithFiles)[FILES]?.get(file);
  return layeredScope(layeredScope(scopeForOtherFiles(scope), known), own);
}
