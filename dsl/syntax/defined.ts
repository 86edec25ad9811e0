/** The fields that have a value: what an optional part of the tree is spread from. */
export function defined<Fields extends object>(
  fields: Fields,
): { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };
}
