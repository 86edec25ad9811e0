/** Builds this kernel's debug adapter with its two targets, graphs and TypeScript. */

import type { ToMain } from "../link.ts";
import type { FrontEnd } from "../wire/front-end.ts";
import { DebugAdapter } from "./adapter.ts";
import type { DebugNews } from "./graph-link.ts";
import { Graphs } from "./graphs.ts";
import { MainAsks } from "./main-asks.ts";
import { type TypeScriptParts, TypeScriptTarget } from "./typescript/typescript-target.ts";

export interface KernelDebugger {
  readonly adapter: DebugAdapter;
  /** Takes a message of the main thread about runs. */
  receive(message: DebugNews): void;
  /** Stops no TypeScript until `work` is over, which ends what is under way. */
  letGo(work: () => Promise<void>): Promise<void>;
  /** The kernel ends: TypeScript that is stopped goes on. */
  close(): void;
}

export function createAdapter(parts: {
  readonly frontEnd: Pick<FrontEnd, "publish">;
  readonly tell: (message: ToMain) => void;
  readonly typescript: Omit<TypeScriptParts, "events">;
}): KernelDebugger {
  const asks = new MainAsks(parts.tell);
  const made: Graphs[] = [];
  const typescript: TypeScriptTarget[] = [];
  const adapter = new DebugAdapter({
    targets: [
      (events) => {
        const graphs = new Graphs({ asks, events });
        made.push(graphs);
        return graphs;
      },
      (events) => {
        const target = new TypeScriptTarget({ ...parts.typescript, events });
        typescript.push(target);
        return target;
      },
    ],
    publish: (event) => parts.frontEnd.publish("debug_event", event, {}),
    globals: () => made.flatMap(({ globals }) => globals),
  });
  const [target] = typescript;
  return {
    adapter,
    letGo: (work) => target?.letGo(work) ?? work(),
    close: () => target?.close(),
    receive: (message) => {
      for (const graphs of made) graphs.receive(message);
    },
  };
}
