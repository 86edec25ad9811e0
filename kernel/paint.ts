/** Colours a text: the command line does in a terminal, nothing else does. */
export type Style = "error" | "warning" | "good" | "quiet" | "title";
export type Painter = (style: Style, text: string) => string;

export const plain: Painter = (_, text) => text;
