/** The font and the greys of every drawing, as a page in light colours has them. */
export const FONT = "Inter, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif";
export const INK = "#1f2328";
export const FAINT = "#57606a";
export const LINE = "#6e7781";
