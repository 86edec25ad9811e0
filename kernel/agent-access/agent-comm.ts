/** Takes the comms by which clients ask a kernel; what answers them is loaded with the first. */
import type { Comms } from "../comms/comms.ts";
import type { AskAnswerer, AskParts } from "./answer-asks.ts";
import { AGENT_TARGET, type KernelAsk } from "./asks.ts";

export function answerAgents(comms: Comms, parts: AskParts): void {
  let answerer: Promise<AskAnswerer> | undefined;
  comms.target(AGENT_TARGET, async (comm, { data }) => {
    answerer ??= import("./answer-asks.ts").then(({ AskAnswerer }) => new AskAnswerer(parts));
    // A client of this version wrote it: `mcp-server/kernels/kernel-line.ts`.
    comm.close(await (await answerer).answer(data as KernelAsk));
  });
}
