/** What the store of runs takes: beside bare SQLite, beside itself one at a time, and to open a long run. */
import type { Keep, Measured, Tell } from "../suite.ts";
import { figuresOf } from "./figures.ts";
import type { StoreFigures, StoreProbe } from "./store-probe.ts";

const RUNS = 7;

/** The rows of the store; each is measured in a process of its own, both sides in turn. */
export function storeRows(tell: Tell, keep: Keep): void {
  tell("bench: store");
  keep(beside("4096 records of 2 kB, async", "async", { name: "SQLite NORMAL", goal: 1 / 1.5 }));
  keep(beside("200 records of 2 kB, sync", "sync", { name: "SQLite FULL", goal: 1 / 1.3 }));
  keep(beside("100 threads, sync", "100 threads", { name: "one at a time", goal: 4 }));
  keep({
    ...{ name: "open and resume, 10000 steps", store: "disk", unit: "ms" },
    ...{ goal: 100, goalOn: "ours", ours: figures("open 10000").ours },
  });
  keep({
    ...{ name: "main thread blocked by storage, longest", store: "disk", unit: "ms" },
    ...{ goal: 20, goalOn: "ours", ours: figures("blocked").ours },
  });
}

function beside(
  name: string,
  probe: StoreProbe,
  base: { readonly name: string; readonly goal: number },
): Measured {
  const { ours, base: values } = figures(probe);
  const { goal } = base;
  const row = { name, store: "disk", unit: "ms", goal, goalOn: "ratio", ours } as const;
  return { ...row, base: { name: base.name, values } };
}

function figures(probe: StoreProbe): StoreFigures {
  return figuresOf<StoreFigures>("store-probe.ts", [probe, String(RUNS)]);
}
