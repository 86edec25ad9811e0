/** Keeps what Node makes of our files between processes. */
export declare function keepCompiled(): void;
