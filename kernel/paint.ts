/** Colours a text: the command line does in a terminal, nothing else does. */
export type Style = "error" | "warning" | "good" | "quiet" | "title";
export type Paint = (style: Style, text: string) => string;

export const plain: Paint = (_, text) => text;
