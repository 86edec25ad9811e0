/** Works a value out when it is first asked for, and keeps it: for what most texts never ask. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
