/** Catches the value of a cell's last expression; cells of several subshells share their names. */
import { AsyncLocalStorage } from "node:async_hooks";

interface BoxedValue {
  value: unknown;
}

const boxes = new AsyncLocalStorage<BoxedValue>();
/** The number of cells that write each name at present. */
const writers = new Map<string, number>();

/**
 * Runs `work` and returns the value that it writes to `name` of `names`, boxed: a promise is a
 * value like any other, and is not awaited. Writes of other cells meanwhile don't count.
 */
export async function catchValue(
  name: string,
  names: Record<string, unknown>,
  work: () => Promise<void>,
): Promise<Readonly<BoxedValue>> {
  const box: BoxedValue = { value: undefined };
  begin(name, names);
  try {
    await boxes.run(box, work);
    return box;
  } finally {
    end(name, names);
  }
}

function begin(name: string, names: Record<string, unknown>): void {
  const before = writers.get(name) ?? 0;
  writers.set(name, before + 1);
  if (before > 0) return;
  Object.defineProperty(names, name, {
    configurable: true,
    get: () => boxes.getStore()?.value,
    set: (value: unknown) => {
      const box = boxes.getStore();
      if (box !== undefined) box.value = value;
    },
  });
}

function end(name: string, names: Record<string, unknown>): void {
  const left = (writers.get(name) ?? 1) - 1;
  writers.set(name, left);
  if (left === 0) delete names[name];
}
