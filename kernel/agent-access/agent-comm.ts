/** Takes the comms by which clients ask a kernel; what answers them is loaded with the first. */
import type { Comms } from "../comms/comms.ts";
import type { AskAnswerer, AskParts } from "./answer-asks.ts";
import { AGENT_TARGET, type KernelAsk } from "./asks.ts";
import { runsUnderWay } from "./runs-under-way.ts";

export function answerAgents(comms: Comms, parts: AskParts): void {
  let answerer: Promise<AskAnswerer> | undefined;
  comms.target(AGENT_TARGET, async (comm, { data }) => {
    const ask = data as KernelAsk;
    // Asked at the end of each notebook without a front end: nothing is loaded for it.
    if (ask.ask === "under way") return comm.close({ value: runsUnderWay(parts.session()) });
    answerer ??= import("./answer-asks.ts").then(({ AskAnswerer }) => new AskAnswerer(parts));
    // A client of this version wrote it: `mcp-server/kernels/kernel-line.ts`.
    comm.close(await (await answerer).answer(ask));
  });
}
