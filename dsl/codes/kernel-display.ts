import type { CodePage } from "./page.ts";

export const kernelDisplay = {} as const satisfies Record<string, CodePage>;
