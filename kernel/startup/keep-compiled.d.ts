/** Keeps what Node makes of our files between processes. */
export declare function keepCompiled(): void;

/**
 * Returns the folder in which this package caches what it can make again; undefined where there is
 * no `node_modules`.
 */
export declare function cacheFolder(): string | undefined;
