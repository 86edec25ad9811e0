/**
 * Keeps outputs current that a page has from the file of its notebook, as after a reload: JupyterLab passes updates of a
 * display on to cells that this page ran, and to no other. The kernel writes the display's id into the output's metadata.
 */

/** The kernel shows again what it is asked for, as it is now. */
const TARGET = "madrigal.displays";

export function followDisplays({ content, sessionContext }) {
  sessionContext.iopubMessage.connect((_context, { header, content: said }) => {
    if (header.msg_type !== "update_display_data") return;
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

/** The displays in cells that this page did not run. */
function restoredIn({ widgets }) {
  return widgets.flatMap(({ model, outputArea }) => {
    if (model.type !== "code" || outputArea?.future) return [];
    const { outputs } = model;
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
