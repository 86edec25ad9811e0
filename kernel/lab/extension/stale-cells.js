/** Adds "Run Stale Cells" to the commands, and a button for it to the toolbar of notebooks of our kernel. */

const COMMAND = "madrigal:run-stale-cells";
const LABEL = "Run Stale Cells";
const CAPTION = "Run the cells again whose functions, graphs or modules have changed since";
const KERNEL = "madrigal";

export function offerStaleCells({ commands }, notebooks, palette, { ToolbarButton }) {
  const ours = () => {
    const { currentWidget } = notebooks;
    const kernel = currentWidget?.sessionContext.session?.kernel;
    return kernel?.name === KERNEL ? kernel : undefined;
  };
  commands.addCommand(COMMAND, {
    label: LABEL,
    caption: CAPTION,
    isEnabled: () => ours() !== undefined,
    // Behind the cells that wait; each of those that run again shows its own output.
    execute: () =>
      ours()?.requestExecute({ code: "%cells --run", silent: true, store_history: false }).done,
  });
  palette?.addItem({ command: COMMAND, category: "Notebook Cell Operations" });
  const add = ({ toolbar, sessionContext }) => {
    const button = new ToolbarButton({
      label: "Run stale",
      tooltip: CAPTION,
      onClick: () => void commands.execute(COMMAND),
    });
    toolbar.insertAfter("restart-and-run", "madrigal-run-stale", button);
    const show = () => button.setHidden(sessionContext.session?.kernel?.name !== KERNEL);
    sessionContext.kernelChanged.connect(show);
    show();
  };
  notebooks.forEach(add);
  notebooks.widgetAdded.connect((_notebooks, panel) => add(panel));
}
