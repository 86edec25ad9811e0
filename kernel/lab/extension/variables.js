/** Shows the names that the cells of a notebook declared, in a panel on the right, also while nothing runs and no debugger is on. */

const TARGET = "madrigal.names";
const ID = "madrigal-variables";
const EMPTY = "No cell has declared a name.";

export const VARIABLES_STYLE = `
#${ID} { overflow: auto; padding: 8px; background: var(--jp-layout-color1); color: var(--jp-ui-font-color1); font-size: var(--jp-ui-font-size1); }
#${ID} table { border-collapse: collapse; width: 100%; table-layout: fixed; }
#${ID} td, #${ID} th { text-align: left; vertical-align: top; padding: 2px 8px 2px 0; overflow-wrap: anywhere; }
#${ID} td { font-family: var(--jp-code-font-family); font-size: var(--jp-code-font-size); border-top: 1px solid var(--jp-border-color2); }
`;

export function showVariables({ shell }, notebooks, { Widget }) {
  const panel = new Widget();
  panel.id = ID;
  panel.title.label = "Variables";
  panel.title.caption = "The names that the cells of the notebook declared";
  shell.add(panel, "right", { rank: 900 });
  let asked;
  const ask = () => {
    const kernel = notebooks.currentWidget?.sessionContext.session?.kernel;
    if (!panel.isVisible || !kernel?.handleComms) return;
    const comm = kernel.createComm(TARGET);
    asked = comm;
    comm.onMsg = ({ content }) => {
      if (asked === comm) show(panel.node, content.data.variables);
    };
    comm.open({});
  };
  // A cell is over; what the panel asks itself is none.
  const follow = ({ sessionContext }) =>
    sessionContext.iopubMessage.connect((_context, { header, parent_header, content }) => {
      const isIdle = header.msg_type === "status" && content.execution_state === "idle";
      if (isIdle && parent_header.msg_type === "execute_request") ask();
    });
  notebooks.forEach(follow);
  notebooks.widgetAdded.connect((_notebooks, notebook) => follow(notebook));
  notebooks.currentChanged.connect(ask);
  // The panel is opened.
  new IntersectionObserver(ask).observe(panel.node);
  show(panel.node, []);
}

function show(node, variables) {
  if (variables.length === 0) return node.replaceChildren(EMPTY);
  const table = document.createElement("table");
  const head = table.createTHead().insertRow();
  for (const title of ["name", "type", "value"]) {
    const cell = document.createElement("th");
    cell.textContent = title;
    head.append(cell);
  }
  const body = table.createTBody();
  for (const { name, type, value } of variables) {
    const row = body.insertRow();
    for (const text of [name, type, value]) row.insertCell().textContent = text;
  }
  node.replaceChildren(table);
}
