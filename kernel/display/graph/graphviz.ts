/** Keeps one instance of Graphviz until it breaks; a broken one is never used again. */
import type { Format, Graphviz } from "@hpcc-js/wasm-graphviz";

/** Thrown when Graphviz broke over its input; the instance is gone. */
export class GraphvizBroken extends Error {}

type Library = typeof import("@hpcc-js/wasm-graphviz");

let loaded: { readonly graphviz: Graphviz; readonly library: Library } | undefined;
let loading: Promise<NonNullable<typeof loaded>> | undefined;

export async function loadGraphviz(): Promise<Graphviz> {
  loading ??= import("@hpcc-js/wasm-graphviz").then(async (library) => ({
    library,
    graphviz: await library.Graphviz.load(),
  }));
  loaded = await loading;
  return loaded.graphviz;
}

/** Nothing before it has been loaded. */
export function loadedGraphviz(): Graphviz | undefined {
  return loaded?.graphviz;
}

/** Returns Graphviz's layout of a DOT text as JSON. Throws `GraphvizBroken` if Graphviz fails. */
export function placesIn<T>(graphviz: Graphviz, dot: string): T {
  try {
    return JSON.parse(graphviz.layout(dot, PLACES, "dot")) as T;
  } catch (error) {
    throw new GraphvizBroken("Graphviz broke", { cause: error });
  }
}

/** `json` would bring how to draw each thing, which takes as long as the layout. The types of the package do not know it. */
const PLACES = "json0" as string as Format;

/** The next one that is loaded has a memory of its own. */
export function discardGraphviz(broken: Graphviz): void {
  if (loaded?.graphviz !== broken) return;
  loaded.library.Graphviz.unload();
  [loaded, loading] = [undefined, undefined];
}
