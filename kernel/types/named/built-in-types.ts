/** Lists the groups of tools that programs and notebooks have without importing them, with their types. */

/** The types as TypeScript, by the names of the groups. */
export const BUILT_IN_TYPES = {
  docs: 'ReturnType<typeof import("madrigal").createDocsTools>',
  browser: 'ReturnType<typeof import("madrigal").createBrowserTools>',
  web: 'ReturnType<typeof import("madrigal").createWebTools>',
  code: 'ReturnType<typeof import("madrigal").createCodeTools>',
  folder: 'ReturnType<typeof import("madrigal").createFolderTools>',
  planning: 'typeof import("madrigal").planning',
} as const;

export type BuiltInGroup = keyof typeof BUILT_IN_TYPES;

export function isBuiltInGroup(name: string | undefined): name is BuiltInGroup {
  return name !== undefined && Object.hasOwn(BUILT_IN_TYPES, name);
}
