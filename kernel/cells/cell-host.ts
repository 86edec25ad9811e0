/** Gives the functions of "madrigal" their cell: where they show, and whom they ask. */
import { RunError } from "../../runtime/index.ts";
import type { Comms } from "../comms/comms.ts";
import type { Host } from "../host.ts";
import { Widgets } from "../widgets/widgets.ts";
import { cellHere } from "./current-cell.ts";
import { textOfCell } from "./output/cell-texts.ts";
import type { CellLink } from "./parts.ts";

export function createHost(
  link: Pick<CellLink, "ask" | "askLater">,
  comms?: Comms,
  names: Readonly<Record<string, unknown>> = {},
): Host {
  return {
    ...(comms !== undefined && { comms, widgets: new Widgets(comms) }),
    names,
    output: (output) => cellHere()?.show(output),
    boundOutput() {
      const cell = cellHere();
      return (output) => cell?.show(output);
    },
    cellText: textOfCell,
    signal: () => cellHere()?.signal,
    cellRun: () => cellHere()?.request.id,
    ask(prompt, { password }) {
      const cell = cellHere();
      if (cell !== undefined) return link.ask(cell.request.id, prompt, password);
      throw new RunError("M7503", "no cell has run yet that could ask", {
        hint: "run a cell first",
      });
    },
    askLater() {
      const { id, allowStdin } = cellHere()?.request ?? {};
      if (id === undefined || allowStdin !== true) return undefined;
      return (prompt, signal) => link.askLater(id, prompt, signal);
    },
  };
}
