import type { CodePage } from "./page.ts";

export const kernel = {} as const satisfies Record<`M7${number}`, CodePage>;
