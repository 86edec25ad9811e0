/** Keeps the last content of each display for pages that open or reload later. */
import type { CellOutput } from "../../cell-output.ts";
import type { Comms } from "../../comms/comms.ts";
import type { RequestId } from "../../jupyter/link.ts";

/** Our extension of JupyterLab opens a comm to it with the ids of displays. */
const TARGET = "madrigal.displays";
/** A notebook shows a few; older ones stay as they were saved. */
const KEPT = 200;

type SendOutput = (id: RequestId, output: CellOutput) => void;

export class KeptDisplays {
  readonly #send: SendOutput;
  readonly #last = new Map<string, { readonly id: RequestId; readonly output: CellOutput }>();

  constructor(send: SendOutput) {
    this.#send = send;
  }

  /** Sends it, and keeps it if it can be updated. */
  readonly output: SendOutput = (id, output) => {
    if ((output.kind === "display" || output.kind === "update") && output.displayId !== undefined) {
      const { displayId } = output;
      this.#last.delete(displayId);
      this.#last.set(displayId, { id, output: { ...output, kind: "update", displayId } });
      const [oldest] = this.#last.keys();
      if (this.#last.size > KEPT && oldest !== undefined) this.#last.delete(oldest);
    }
    this.#send(id, output);
  };

  /** Shows again what a page asks for. */
  answer(comms: Comms): void {
    comms.target(TARGET, (comm, { data }) => {
      for (const displayId of idsOf(data)) {
        const last = this.#last.get(displayId);
        if (last !== undefined) this.#send(last.id, last.output);
      }
      comm.close();
    });
  }
}

function idsOf(data: unknown): readonly string[] {
  const ids: unknown = typeof data === "object" && data !== null && "ids" in data ? data.ids : [];
  return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
}
