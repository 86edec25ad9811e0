/** Keeps what Node makes of our files between processes. */
export declare function keepCompiled(): void;

/**
 * Returns the folder in which this package caches what it can make again: MADRIGAL_CACHE, else one
 * in `node_modules`; undefined where there is neither.
 */
export declare function cacheFolder(): string | undefined;
