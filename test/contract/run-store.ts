/** What every store of runs promises: whoever writes one calls this in a test file of theirs, with a way to open it. */
import type { StoreOptions } from "../../runtime/store/open-store.ts";
import { hostWith, manualClock } from "../runtime/store/fixtures.ts";
import { cacheContract } from "./run-store/cache.ts";
import { copyContract } from "./run-store/copies.ts";
import { halfwayContract } from "./run-store/halfway.ts";
import { housekeepingContract } from "./run-store/housekeeping.ts";
import { leaseContract } from "./run-store/leases.ts";
import { logContract } from "./run-store/log.ts";
import { memoryContract } from "./run-store/memories.ts";
import { runsContract } from "./run-store/runs.ts";
import type { Setting, Subject } from "./run-store/setting.ts";
import { snapshotContract } from "./run-store/snapshots.ts";
import { writableContract } from "./run-store/writable.ts";

/** `open` makes an empty store that reads its time and who is alive from the options. */
export function runStoreContract(name: string, open: (options: StoreOptions) => Subject): void {
  function setting(): Setting {
    const clock = manualClock();
    const dead = new Set<number>();
    const subject = open({ clock, liveness: hostWith(dead) });
    return { store: subject.store, again: () => subject.again(), clock, dead };
  }
  logContract(name, setting);
  leaseContract(name, setting);
  runsContract(name, setting);
  housekeepingContract(name, setting);
  cacheContract(name, setting);
  copyContract(name, setting);
  halfwayContract(name, setting);
  snapshotContract(name, setting);
  writableContract(name, setting);
  memoryContract(name, setting);
}
