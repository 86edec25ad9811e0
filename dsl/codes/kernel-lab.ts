import type { CodePage } from "./page.ts";

export const kernelLab = {} as const satisfies Record<string, CodePage>;
