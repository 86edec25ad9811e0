import type { CodePage } from "./page.ts";

export const typeBridge = {} as const satisfies Record<string, CodePage>;
