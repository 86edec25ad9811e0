import type { CodePage } from "./page.ts";

export const kernelCells = {} as const satisfies Record<string, CodePage>;
