/** How our charts look: on a white card, so that they read on light and dark pages alike, in colours for every eye. */

/** Okabe and Ito's, without the yellow that is lost on white. */
export const PALETTE = [
  "#0072B2",
  "#E69F00",
  "#009E73",
  "#CC79A7",
  "#56B4E9",
  "#D55E00",
  "#5C5C5C",
  "#8F6BB1",
] as const;

const INK = "#1f2328";
const FAINT = "#57606a";

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
  gridColor: "#e7ebef",
  domainColor: "#8c959f",
  tickColor: "#8c959f",
} as const;

export const CHART_CONFIG = {
  background: "#ffffff",
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
