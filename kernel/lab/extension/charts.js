/**
 * Draws charts as JupyterLab does, in the colours of its theme, and without the PNG that it adds to a notebook that was only
 * opened. A chart that has an SVG beside it needs none.
 */
import { darkColours } from "./colours.js";

const VEGA_LITE = "application/vnd.vegalite.v5+json";
const SVG = "image/svg+xml";
const PNG = "image/png";
/** That of JupyterLab's own renderer of Vega. */
const RANK = 57;
/** Beside a chart, for the button of its menu, in pixels. */
const MENU = 38;
/** A cell that is as wide as this shows every chart that fits itself as it is. */
const ALL = 700 + MENU;
const WIDTH_MIN = 240;

export function keepCharts(rendermime) {
  const factory = rendermime.getFactory(VEGA_LITE);
  if (factory === undefined) return;
  /** Draws again each chart on the page. */
  const shown = new Set();
  const createRenderer = (options) => {
    const renderer = factory.createRenderer(options);
    const render = renderer.renderModel.bind(renderer);
    let again;
    let drawnWidth = 0;
    renderer.renderModel = (model) => {
      shown.delete(again);
      if (!(SVG in model.data)) return render(model);
      const draw = () => {
        drawnWidth = renderer.node.clientWidth;
        return render(shownModel(model, drawnWidth));
      };
      again = () => void draw().catch(console.error);
      shown.add(again);
      return draw();
    };
    // Before it is in the page it has no width.
    const sizes = new ResizeObserver(() => {
      const { clientWidth } = renderer.node;
      if (clientWidth !== drawnWidth && Math.min(clientWidth, drawnWidth || ALL) < ALL) again?.();
    });
    sizes.observe(renderer.node);
    renderer.disposed.connect(() => {
      shown.delete(again);
      sizes.disconnect();
    });
    return renderer;
  };
  rendermime.addFactory({ ...factory, mimeTypes: [VEGA_LITE], createRenderer }, RANK);
  const drawAll = () => {
    for (const again of shown) again();
  };
  const theme = { attributes: true, attributeFilter: ["data-jp-theme-name"] };
  new MutationObserver(drawAll).observe(document.body, theme);
}

/** Returns the model in the colours and the width of the page, and with a PNG, as if there were one. */
function shownModel(model, width) {
  const { data, metadata, trusted } = model;
  const isDark = document.body.dataset.jpThemeLight === "false";
  const fitted = inWidth(data[VEGA_LITE], width);
  const chart = isDark ? inDark(fitted) : fitted;
  return {
    data: { ...data, [VEGA_LITE]: chart, [PNG]: data[PNG] ?? "none" },
    metadata,
    trusted,
    setData: (changes) => model.setData(changes),
  };
}

/** A chart that is as wide as it is told is not wider than its cell: as a picture that shrinks its texts would, too. */
function inWidth(spec, cellWidth) {
  const width = cellWidth - MENU;
  const isFitted = spec.autosize?.type === "fit-x" && spec.width > width;
  return isFitted && cellWidth > 0 ? { ...spec, width: Math.max(WIDTH_MIN, width) } : spec;
}

/** Our colours turned, on the ground of the page; those of others stay. */
function inDark(spec) {
  const { data, ...drawn } = spec;
  const ground = getComputedStyle(document.body).getPropertyValue("--jp-layout-color0").trim();
  const turned = dark(drawn);
  const background = ground || turned.config?.background;
  return { ...turned, data, config: { ...turned.config, background } };
}

function dark(value) {
  if (typeof value === "string") return darkColours[value] ?? value;
  if (Array.isArray(value)) return value.map(dark);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, dark(one)]));
}
