/** A source of rows of which every hundredth can't be read, and a store for their numbers. */
export async function* rowsOf(count: number, { after = 0 }: { after?: number } = {}) {
  for (let id = after + 1; id <= count; id += 1) yield id;
}

export function extract(id: number): string {
  if (id % 100 === 0) throw new Error(`row ${id} is broken`);
  return `${id * 2}`;
}

export const transform = (text: string) => Number(text) / 2;

export const load = (_id: number, _value: number) => 1;

export const nameOf = (id: number) => `row ${id}`;
