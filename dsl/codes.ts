/** The table of all codes, each with its page. */
import { agents } from "./codes/agents.ts";
import { debug } from "./codes/debug.ts";
import { handoffs } from "./codes/handoffs.ts";
import { imports } from "./codes/imports.ts";
import { memories } from "./codes/memories.ts";
import { names } from "./codes/names.ts";
import { kernelCells } from "./codes/notebooks/cells.ts";
import { kernel } from "./codes/notebooks/command.ts";
import { kernelDisplay } from "./codes/notebooks/display.ts";
import { kernelFormat } from "./codes/notebooks/formatter.ts";
import { kernelClients } from "./codes/notebooks/kernels.ts";
import { kernelLab } from "./codes/notebooks/lab.ts";
import { kernelServer } from "./codes/notebooks/server.ts";
import { kernelWire } from "./codes/notebooks/wire.ts";
import { ownFaults } from "./codes/own-faults.ts";
import type { CodePage } from "./codes/page.ts";
import { policies } from "./codes/policies.ts";
import { remoteAgents } from "./codes/remote-agents.ts";
import { restate } from "./codes/restate.ts";
import { runs } from "./codes/runs.ts";
import { skills } from "./codes/skills.ts";
import { stateAndFlow } from "./codes/state-and-flow.ts";
import { strongAgents } from "./codes/strong-agents.ts";
import { syntax } from "./codes/syntax.ts";
import { tests } from "./codes/tests.ts";
import { traces } from "./codes/traces.ts";
import { typeBridge } from "./codes/type-bridge.ts";
import { typeBridgeFlow } from "./codes/type-bridge-flow.ts";
import { web } from "./codes/web.ts";

export type { CodePage } from "./codes/page.ts";

/** Every code, once. The first digit says whose: 1 syntax, 2 names, 3 types, state and flow, 4 policies, 5 runs, 6 traces, 7 kernel, 8 agents and tools, 9 our own faults. */
export const codes = {
  ...syntax,
  ...names,
  ...imports,
  ...stateAndFlow,
  ...typeBridge,
  ...typeBridgeFlow,
  ...policies,
  ...strongAgents,
  ...runs,
  ...remoteAgents,
  ...restate,
  ...handoffs,
  ...debug,
  ...tests,
  ...traces,
  ...kernel,
  ...kernelWire,
  ...kernelCells,
  ...kernelDisplay,
  ...kernelFormat,
  ...kernelLab,
  ...kernelClients,
  ...kernelServer,
  ...agents,
  ...skills,
  ...memories,
  ...web,
  ...ownFaults,
} as const satisfies Record<`M${number}`, CodePage>;

export type Code = keyof typeof codes;
