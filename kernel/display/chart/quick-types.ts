/** The types of charts that find their columns by themselves, for `%%sql --chart` and `rows.chart()`. */
export const QUICK_CHARTS = ["bar", "line", "area", "point", "arc", "histogram"] as const;

export type QuickType = (typeof QUICK_CHARTS)[number];

/** The names of columns; those that are left out are found. */
export interface QuickOptions {
  readonly type?: QuickType;
  readonly x?: string;
  readonly y?: string;
  readonly color?: string;
  readonly title?: string;
}

export type QuickChart = QuickType | QuickOptions;
