/** Finds the settings that a run gives to graphs that it calls: `{ "Look.width": 7 }` for the file of `Look`. */

type GivenSettings = Readonly<Record<string, unknown>>;

/**
 * Returns the settings with which a called graph begins: within a file all of them, in another one those that name the graph. What
 * names other graphs goes on to the calls behind it.
 */
export function settingsForCalled(
  given: GivenSettings | undefined,
  called: { readonly graph: string; readonly isSameFile: boolean },
): GivenSettings | undefined {
  if (given === undefined) return undefined;
  const { graph, isSameFile } = called;
  const kept = Object.entries(given).filter(([name]) => isSameFile || name.includes("."));
  const config = { ...Object.fromEntries(kept), ...settingsNaming(graph, given) };
  return Object.keys(config).length === 0 ? undefined : config;
}

/** The settings that name a graph, under their own names. */
export function settingsNaming(graph: string, given: GivenSettings): GivenSettings {
  const before = `${graph}.`;
  const named = Object.entries(given).filter(([name]) => name.startsWith(before));
  return Object.fromEntries(named.map(([name, value]) => [name.slice(before.length), value]));
}
