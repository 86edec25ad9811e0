/** How a text is coloured: by the command line in a terminal, by nobody elsewhere. */
export type Style = "error" | "warning" | "good" | "quiet" | "title";
export type Paint = (style: Style, text: string) => string;

export const plain: Paint = (_, text) => text;
