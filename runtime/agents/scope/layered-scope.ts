/** Layers one scope over another. */
import type { Scope } from "./scope.ts";
import { SIGNATURES, type SignatureLookup, signatureIn } from "./tool-signature.ts";

/**
 * One scope over another: a view, not a copy. What is redefined in either counts at the next look, and nothing is read
 * before somebody asks for it by name.
 */
export function layeredScope(under: Scope, over: Scope | undefined): Scope {
  if (over === undefined || over === under) return under;
  const holderOf = (name: PropertyKey) => (Object.hasOwn(over, name) ? over : under);
  const signatures: SignatureLookup = (name) => signatureIn(holderOf(name[0] ?? ""), name);
  return new Proxy<Record<string, unknown>>(
    {},
    {
      get: (_, name) => (name === SIGNATURES ? signatures : Reflect.get(holderOf(name), name)),
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
