/** Writes below each cell what it took, as the kernel says: its time, and the tokens and costs of its runs. Nothing of it is saved. */

const NAME = "madrigal-spent";

export const FOOTER_STYLE = `
.${NAME} { text-align: right; font-size: max(11px, var(--jp-ui-font-size0)); color: var(--jp-ui-font-color2); padding: 0 6px; }
`;

export function showSpent({ content, sessionContext }) {
  sessionContext.iopubMessage.connect((_context, { header, metadata }) => {
    const { cellId, madrigal } = metadata;
    if (typeof cellId !== "string") return;
    if (typeof madrigal?.spent === "string") write(content, cellId, madrigal.spent);
    // It runs again.
    else if (["execute_input", "clear_output"].includes(header.msg_type))
      write(content, cellId, "");
  });
}

function write({ widgets }, id, text) {
  const node = widgets.find(({ model }) => model.id === id)?.node;
  if (node === undefined) return;
  const footer = node.querySelector(`:scope > .${NAME}`) ?? document.createElement("div");
  footer.className = NAME;
  footer.textContent = text;
  if (text === "") footer.remove();
  else node.append(footer);
}
