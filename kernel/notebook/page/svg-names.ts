/** Lists the elements and attributes of SVG that draw something and load, run and link to nothing. */

export const SVG_ELEMENTS: ReadonlySet<string> = words(`
  svg g defs symbol use title desc path rect circle ellipse line polyline polygon text tspan textPath marker
  linearGradient radialGradient stop clipPath mask pattern switch
`);

export const SVG_ATTRIBUTES: ReadonlySet<string> = words(`
  xmlns version viewBox preserveAspectRatio width height x y x1 y1 x2 y2 cx cy r rx ry fx fy fr dx dy d points rotate
  transform id class style href xlink:href role tabindex pathLength textLength lengthAdjust startOffset
  fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-dasharray stroke-dashoffset stroke-linecap
  stroke-linejoin stroke-miterlimit opacity color visibility display overflow paint-order vector-effect
  shape-rendering text-rendering mix-blend-mode
  font-family font-size font-weight font-style font-variant text-anchor text-decoration letter-spacing word-spacing
  dominant-baseline alignment-baseline baseline-shift writing-mode direction unicode-bidi xml:space
  marker-start marker-mid marker-end markerWidth markerHeight markerUnits refX refY orient
  gradientUnits gradientTransform spreadMethod offset stop-color stop-opacity
  clip-path clip-rule clipPathUnits mask maskUnits maskContentUnits patternUnits patternContentUnits patternTransform
`);

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
