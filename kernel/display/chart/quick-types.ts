/** The charts that find their columns by themselves; `%%sql --chart` and `rows.chart()` offer these. */
export const QUICK_CHARTS = ["bar", "line", "area", "point", "arc", "histogram"] as const;

export type QuickType = (typeof QUICK_CHARTS)[number];
