/** What the store of runs takes: beside bare SQLite, beside itself one at a time, and to open a long run. */
import type { Keep, Tell } from "../suite.ts";
import type { Wanted } from "../wanted.ts";
import { figuresOf } from "./figures.ts";
import type { StoreFigures, StoreProbe } from "./store-probe.ts";

const RUNS = 7;

/** The rows of the store; each is measured in a process of its own, both sides in turn. */
export function storeRows({ tell, keep, wanted }: Place): void {
  for (const { name, probe, goal, base } of rows) {
    if (!wanted.has(name, "disk")) continue;
    tell(`bench: ${name}`);
    const { ours, base: values } = figures(probe);
    const row = { name, store: "disk", unit: "ms", goal, ours } as const;
    if (base === undefined) keep({ ...row, goalOn: "ours" });
    else keep({ ...row, goalOn: "ratio", base: { name: base, values } });
  }
}

interface Place {
  readonly tell: Tell;
  readonly keep: Keep;
  readonly wanted: Wanted;
}

interface StoreRow {
  readonly name: string;
  readonly probe: StoreProbe;
  /** On the ratio where there is a base. */
  readonly goal: number;
  readonly base?: string;
}

const rows: readonly StoreRow[] = [
  {
    ...{ name: "4096 records of 2 kB, async", probe: "async" },
    ...{ goal: 1 / 1.5, base: "SQLite NORMAL" },
  },
  { name: "200 records of 2 kB, sync", probe: "sync", goal: 1 / 1.3, base: "SQLite FULL" },
  { name: "100 threads, sync", probe: "100 threads", goal: 4, base: "one at a time" },
  { name: "open and resume, 10000 steps", probe: "open 10000", goal: 100 },
  { name: "find 100 due among 10000 sleeping runs", probe: "due 10000", goal: 1_000 },
  { name: "recall among 100000 entries", probe: "recall 100000", goal: 5 },
  { name: "recall by words and vectors among 100000 entries", probe: "recall vectors", goal: 15 },
  { name: "main thread blocked by storage, longest", probe: "blocked", goal: 20 },
  // The same but for what else the machine does, and for waiting on the disk.
  { name: "main thread blocked by storage, processor time", probe: "blocked, processor", goal: 20 },
];

function figures(probe: StoreProbe): StoreFigures {
  return figuresOf<StoreFigures>("store-probe.ts", [probe, String(RUNS)]);
}
