/** Gives what `make` makes of the text of the file with this URL. */
export type KeptText = (url: string, make: (text: string) => string) => string;

/** Keeps what is made of files in `file`, which processes and threads may share. */
export declare function openKept(file: string): KeptText;
