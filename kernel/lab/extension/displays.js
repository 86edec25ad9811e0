/**
 * Keeps outputs current that a page has from the file of its notebook, as after a reload: JupyterLab passes outputs on to cells
 * that this page ran, and to no other. The kernel writes the id of the display into the output's metadata, and that of the cell
 * into the message's.
 */

/** The kernel shows again what it is asked for, as it is now. */
const TARGET = "madrigal.displays";

export function followDisplays({ content, sessionContext }) {
  sessionContext.iopubMessage.connect((_context, { header, metadata: about, content: said }) => {
    if (header.msg_type !== "update_display_data")
      return showIn(cellOf(content, about.cellId), header.msg_type, said);
    const { data, metadata, transient } = said;
    for (const { outputs, index, id } of restoredIn(content)) {
      if (id !== transient?.display_id) continue;
      outputs.set(index, { output_type: "display_data", data, metadata });
    }
  });
  const ask = () => askFor(new Set(restoredIn(content).map(({ id }) => id)), sessionContext);
  // The changes while no page was open.
  sessionContext.connectionStatusChanged.connect((_context, status) => {
    if (status === "connected") ask();
  });
  sessionContext.ready.then(ask);
}

/** A cell of code that this page did not run; undefined for any other. */
function cellOf({ widgets }, id) {
  const cell = widgets.find(({ model }) => model.type === "code" && model.id === id);
  return cell?.outputArea?.future ? undefined : cell;
}

const OUTPUTS = ["stream", "display_data", "execute_result", "error"];

function showIn(cell, type, { transient: _id, ...shown }) {
  const outputs = cell?.model.outputs;
  if (type === "clear_output") outputs?.clear(shown.wait);
  else if (OUTPUTS.includes(type)) outputs?.add({ output_type: type, ...shown });
}

/** The displays in cells that this page did not run. */
function restoredIn({ widgets }) {
  return widgets.flatMap((cell) => {
    if (cell.model.type !== "code" || cell.outputArea?.future) return [];
    const { outputs } = cell.model;
    return Array.from({ length: outputs.length }, (_, index) => {
      const id = outputs.get(index).metadata.madrigal?.display_id;
      return { outputs, index, id };
    }).filter(({ id }) => typeof id === "string");
  });
}

function askFor(ids, { session }) {
  const kernel = session?.kernel;
  if (ids.size === 0 || !kernel?.handleComms) return;
  // A kernel that does not know the target closes the comm.
  kernel.createComm(TARGET).open({ ids: [...ids] });
}
