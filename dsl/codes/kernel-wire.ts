import type { CodePage } from "./page.ts";

export const kernelWire = {} as const satisfies Record<string, CodePage>;
