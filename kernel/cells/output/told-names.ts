/** Tells pages the names that cells declared, with their types and the beginnings of their values. */
import type { Comms } from "../../comms/comms.ts";
import { globalsIn } from "../../debugging/globals.ts";

/** Our extension of JupyterLab opens a comm to it whenever its panel of variables is to be up to date. */
const TARGET = "madrigal.names";

export function tellNames(comms: Comms, names: Readonly<Record<string, unknown>>): void {
  comms.target(TARGET, (comm) => {
    const variables = globalsIn(names).map(({ name, type, value }) => ({ name, type, value }));
    comm.send({ variables: variables.toReversed() });
    comm.close();
  });
}
