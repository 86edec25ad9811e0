/** How many marks a chart has, as Vega itself counts them. */

interface Item {
  readonly marktype?: string;
  readonly role?: string;
  readonly items?: readonly Item[];
}

/** Those of its first layer, which has one for each row; of a line or an area its points. */
export async function renderedMarks(spec: unknown): Promise<number> {
  const [vega, vegaLite] = [await import("vega"), await import("vega-lite")];
  const compiled = vegaLite.compile(spec as never, { logger: vega.logger(vega.None) as never });
  const view = new vega.View(vega.parse(compiled.spec), { renderer: "none" });
  await view.runAsync();
  const marks = marksIn((view.scenegraph() as unknown as { readonly root: Item }).root);
  const [kind] = marks;
  const same = marks.filter(({ name }) => name === kind?.name);
  view.finalize();
  return same.reduce((sum, { count }) => sum + count, 0);
}

interface Counted {
  readonly name: string;
  readonly count: number;
}

function marksIn(item: Item & { readonly name?: string }): readonly Counted[] {
  if (item.role === "mark" && item.marktype !== "group" && item.marktype !== undefined) {
    return [{ name: item.name ?? item.marktype, count: item.items?.length ?? 0 }];
  }
  return (item.items ?? []).flatMap(marksIn);
}
