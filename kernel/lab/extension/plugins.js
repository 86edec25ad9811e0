/** Lists the plugins: colours of cells, displays that stay current, drawings and charts in the colours of the page. */
import { FOOTER_STYLE, showSpent } from "./cell-footers.js";
import { cellSupport } from "./cell-language.js";
import { keepCharts } from "./charts.js";
import { followDisplays } from "./displays.js";
import { DRAWING_STYLE, keepDrawings } from "./drawings.js";
import { offerStaleCells } from "./stale-cells.js";
import { showVariables, VARIABLES_STYLE } from "./variables.js";

/** The name of the kernel's language in `kernel_info`. */
const NAME = "madrigal-cell";

/** JupyterLab draws charts on a canvas of a fixed size: in a cell that is narrower, its right side would be cut off. */
const chartWidths = {
  id: "madrigal:chart-widths",
  description: "Fits charts to cells that are narrower.",
  autoStart: true,
  activate() {
    addStyle(
      ".jp-RenderedVegaCommon5 :is(canvas, svg.marks) { max-width: 100%; height: auto !important; }",
    );
  },
};

/** JupyterLab leaves the keys of boxes for answers to them, that for saving too: a notebook would not be saved while one asks. */
const saving = {
  id: "madrigal:saving",
  description: "Saves by Ctrl+S also while an answer is typed.",
  autoStart: true,
  activate({ commands }) {
    const save = (event) => {
      const isSave = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!isSave || event.key.toLowerCase() !== "s") return;
      if (!event.target.closest?.(".jp-Stdin, [data-lm-suppress-shortcuts]")) return;
      event.preventDefault();
      event.stopPropagation();
      commands.execute("docmanager:save").catch(console.error);
    };
    document.addEventListener("keydown", save, true);
  },
};

function addStyle(rules) {
  const style = document.createElement("style");
  style.textContent = rules;
  document.head.append(style);
}

export async function createPlugins(load) {
  const [
    { IEditorLanguageRegistry },
    { INotebookTracker },
    { IRenderMimeRegistry },
    { ICommandPalette },
    { ToolbarButton },
    { Widget },
    language,
    common,
  ] = await Promise.all([
    load("@jupyterlab/codemirror"),
    load("@jupyterlab/notebook"),
    load("@jupyterlab/rendermime"),
    load("@jupyterlab/apputils"),
    load("@jupyterlab/ui-components"),
    load("@lumino/widgets"),
    load("@codemirror/language"),
    load("@lezer/common"),
  ]);
  const cells = {
    id: "madrigal:cells",
    description: "Highlights graphs and SQL in cells of TypeScript.",
    autoStart: true,
    requires: [IEditorLanguageRegistry],
    activate(_app, languages) {
      languages.addLanguage({
        name: NAME,
        displayName: "Madrigal",
        mime: "text/x-madrigal-cell",
        extensions: [],
        async load() {
          const { support } = await languages.getLanguage("typescript");
          try {
            return cellSupport(support, { language, common });
          } catch (thrown) {
            // An editor without our colours is still an editor.
            console.error("madrigal: cells are coloured as TypeScript:", thrown);
            return support;
          }
        },
      });
    },
  };
  const displays = {
    id: "madrigal:displays",
    description: "Keeps the drawings of runs current after the page was reloaded.",
    autoStart: true,
    requires: [INotebookTracker],
    activate(_app, notebooks) {
      notebooks.forEach(followDisplays);
      notebooks.widgetAdded.connect((_notebooks, panel) => followDisplays(panel));
    },
  };
  const footers = {
    id: "madrigal:footers",
    description: "Shows below each cell its time, and the tokens and costs of its runs.",
    autoStart: true,
    requires: [INotebookTracker],
    activate(_app, notebooks) {
      addStyle(FOOTER_STYLE);
      notebooks.forEach(showSpent);
      notebooks.widgetAdded.connect((_notebooks, panel) => showSpent(panel));
    },
  };
  const charts = {
    id: "madrigal:charts",
    description:
      "Draws charts in the colours of the theme, and adds no PNG to those that have an SVG.",
    autoStart: true,
    requires: [IRenderMimeRegistry],
    activate(app, rendermime) {
      // Once JupyterLab's own renderers are there.
      app.started.then(() => keepCharts(rendermime));
    },
  };
  const drawings = {
    id: "madrigal:drawings",
    description: "Shows drawings of graphs and runs as a part of the page.",
    autoStart: true,
    requires: [IRenderMimeRegistry, INotebookTracker],
    activate(_app, rendermime, notebooks) {
      addStyle(DRAWING_STYLE);
      keepDrawings(rendermime, (element) => {
        const panel = notebooks.find(({ node }) => node.contains(element));
        return panel?.sessionContext.session?.kernel;
      });
    },
  };
  const staleCells = {
    id: "madrigal:stale-cells",
    description: "Runs the stale cells of a notebook again.",
    autoStart: true,
    requires: [INotebookTracker],
    optional: [ICommandPalette],
    activate(app, notebooks, palette) {
      offerStaleCells(app, notebooks, palette, { ToolbarButton });
    },
  };
  const variables = {
    id: "madrigal:variables",
    description: "Shows the names that cells declared.",
    autoStart: true,
    requires: [INotebookTracker],
    activate(app, notebooks) {
      addStyle(VARIABLES_STYLE);
      showVariables(app, notebooks, { Widget });
    },
  };
  return [cells, displays, footers, variables, charts, drawings, staleCells, chartWidths, saving];
}
