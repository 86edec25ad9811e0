/** Holds how our charts look: on a white card, in colours that every eye can tell apart. */

/**
 * Told apart by every eye, also by those that lack one kind of cones, in light and in dark (theme.ts), and each with a
 * contrast of 3 to the card: the eight that are furthest from each other then.
 */
export const PALETTE = [
  "#1e78d0",
  "#e66a12",
  "#0f553b",
  "#b02988",
  "#210188",
  "#665416",
  "#918f8b",
  "#8632f6",
] as const;

/** Marks that have text on them: as light as a mark may be, so that the text is read. */
export const TONES = {
  blue: "#4e92d3",
  violet: "#a379de",
  orange: "#df6d21",
  green: "#359f73",
  grey: "#868f98",
  red: "#dc6d5c",
} as const;

/** From few to many; on the first, text is ink, on the others the colour of the card. */
export const STEPS = ["#4e94d6", "#2872b7", "#1e5b94", "#154470", "#0e304f"] as const;

export const CARD = "#ffffff";
export const INK = "#1f2328";
export const FAINT = "#57606a";

export const CHART_FONT = "Inter, Helvetica Neue, Arial, DejaVu Sans, sans-serif";

const axis = {
  labelColor: INK,
  titleColor: FAINT,
  titleFontWeight: "normal",
  titlePadding: 10,
  labelFontSize: 11,
  titleFontSize: 11,
  labelLimit: 240,
  labelFlush: false,
  labelOverlap: true,
  gridColor: "#e7ebef",
  domainColor: "#8c959f",
  tickColor: "#8c959f",
} as const;

/** A cell of a notebook has room for this; with the buttons of JupyterLab it is 740 px. */
const CHART_WIDTH = 700;

/** A chart that is as wide as this with its axes, and does not grow beyond that with the names on them. */
export const FITTED = {
  width: CHART_WIDTH,
  autosize: { type: "fit-x", contains: "padding" },
} as const;

export const CHART_CONFIG = {
  background: CARD,
  padding: 14,
  font: CHART_FONT,
  range: { category: PALETTE },
  view: { stroke: null, continuousWidth: 560, continuousHeight: 260, discreteHeight: { step: 26 } },
  axis,
  axisY: { domain: false, ticks: false, labelPadding: 8 },
  legend: {
    labelColor: INK,
    titleColor: FAINT,
    titleFontWeight: "normal",
    labelFontSize: 11,
    titleFontSize: 11,
    symbolType: "square",
    // Beside the marks it would make a wide chart wider than its cell.
    orient: "bottom",
    columns: 4,
    labelLimit: 130,
  },
  title: {
    anchor: "start",
    color: INK,
    fontSize: 14,
    fontWeight: 600,
    subtitleColor: FAINT,
    subtitleFontSize: 11,
    offset: 14,
    subtitlePadding: 4,
  },
  bar: { color: PALETTE[0] },
  line: { color: PALETTE[0], strokeWidth: 2 },
  area: { color: PALETTE[0], fillOpacity: 0.85 },
  point: { color: PALETTE[0], filled: true, size: 45 },
  rect: { color: PALETTE[0] },
} as const;
