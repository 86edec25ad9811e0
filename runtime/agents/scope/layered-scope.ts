/** Layers one scope over another. */
import type { Scope } from "./scope.ts";
import { SIGNATURES, type SignatureLookup, signatureIn } from "./tool-signature.ts";

const FOR_OTHER_FILES = Symbol("the scope as programs of other files see it");

interface WithOtherFiles {
  readonly [FOR_OTHER_FILES]?: Scope;
}

/**
 * One scope over another: a view, not a copy. What is redefined in either counts at the next look, and nothing is read
 * before somebody asks for it by name.
 */
export function layeredScope(under: Scope, over: Scope | undefined): Scope {
  if (over === undefined || over === under) return under;
  return viewOf(under, over, () =>
    layeredScope(scopeForOtherFiles(under), scopeForOtherFiles(over)),
  );
}

/**
 * The names of a program over the built-in groups of tools. Programs of other files that it imports see the built-in groups
 * whatever names it has, since they rely on them.
 */
export function scopeOverBuiltIn(builtIn: Scope, names: Scope): Scope {
  return viewOf(builtIn, names, () => layeredScope(names, builtIn));
}

/** Returns what a scope is to programs of other files. */
export function scopeForOtherFiles(scope: Scope): Scope {
  return (scope as WithOtherFiles)[FOR_OTHER_FILES] ?? scope;
}

function viewOf(under: Scope, over: Scope, forOtherFiles: () => Scope): Scope {
  const holderOf = (name: PropertyKey) => (Object.hasOwn(over, name) ? over : under);
  const signatures: SignatureLookup = (name) => signatureIn(holderOf(name[0] ?? ""), name);
  const get = (name: string | symbol): unknown => {
    if (name === SIGNATURES) return signatures;
    if (name === FOR_OTHER_FILES) return forOtherFiles();
    return Reflect.get(holderOf(name), name);
  };
  return new Proxy<Record<string, unknown>>(
    {},
    {
      get: (_, name) => get(name),
      has: (_, name) => Reflect.has(over, name) || Reflect.has(under, name),
      ownKeys: () => [...new Set([...Reflect.ownKeys(under), ...Reflect.ownKeys(over)])],
      getOwnPropertyDescriptor: (_, name) => {
        const found = Reflect.getOwnPropertyDescriptor(holderOf(name), name);
        // The view itself has nothing, so what it shows must be said to be removable.
        return found === undefined ? undefined : { ...found, configurable: true };
      },
    },
  );
}
