import { join } from "node:path";
import { onTestFinished } from "vitest";
import { RunError } from "../../../runtime/failure.ts";
import { memoryRunStore, openRunStore } from "../../../runtime/store/open-store.ts";
import type { RunStore } from "../../../runtime/store/run-store.ts";
import { runStoreContract } from "../../contract/run-store.ts";
import { temporaryFolder } from "./fixtures.ts";

runStoreContract("a store in memory", (options) => {
  const store = memoryRunStore(options);
  return { store, again: () => store };
});

runStoreContract("a store on disk", (options) => {
  const file = join(temporaryFolder(), "runs.sqlite");
  const open = (): RunStore => {
    const store = openRunStore(file, options);
    onTestFinished(() => closeAfterCrash(store));
    return store;
  };
  return { store: open(), again: open };
});

/** What a crashed owner still had pending can't be stored any more, and the store says so; nothing else is left open. */
function closeAfterCrash(store: RunStore): void {
  try {
    store.close();
  } catch (error) {
    if (!(error instanceof RunError) || error.code !== "M5106") throw error;
  }
}
