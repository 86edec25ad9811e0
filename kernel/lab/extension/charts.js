/**
 * Draws charts as JupyterLab does, without the PNG that it adds to a notebook that was only opened. A chart that has an
 * SVG beside it needs none.
 */

const VEGA_LITE = "application/vnd.vegalite.v5+json";
const SVG = "image/svg+xml";
const PNG = "image/png";
/** That of JupyterLab's own renderer of Vega. */
const RANK = 57;

export function keepCharts(rendermime) {
  const factory = rendermime.getFactory(VEGA_LITE);
  if (factory === undefined) return;
  const createRenderer = (options) => {
    const renderer = factory.createRenderer(options);
    const render = renderer.renderModel.bind(renderer);
    renderer.renderModel = (model) => render(SVG in model.data ? withPicture(model) : model);
    return renderer;
  };
  rendermime.addFactory({ ...factory, mimeTypes: [VEGA_LITE], createRenderer }, RANK);
}

/** Returns the model with a PNG, as if there were one. */
function withPicture(model) {
  const { data, metadata, trusted } = model;
  return {
    data: { ...data, [PNG]: data[PNG] ?? "none" },
    metadata,
    trusted,
    setData: (changes) => model.setData(changes),
  };
}
