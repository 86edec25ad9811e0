/** Makes the package.json of the published package from the project's. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Returns the manifest with built files instead of sources, and without what only developers need. */
export function packageManifest(root: string): Readonly<Record<string, unknown>> {
  const project = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const { name, version, description, license, dependencies } = project;
  const { peerDependencies, peerDependenciesMeta } = project;
  return {
    name,
    version,
    description,
    license,
    type: "module",
    bin: { madrigal: "kernel/madrigal.js" },
    exports: {
      ".": { types: "./kernel/index.d.ts", default: "./kernel/index.js" },
      "./client": {
        types: "./kernel/http-client/connect.d.ts",
        default: "./kernel/http-client/connect.js",
      },
      "./library": {
        types: "./kernel/library/programs.d.ts",
        default: "./kernel/library/programs.js",
      },
      "./package.json": "./package.json",
    },
    engines: { node: ">=22.18" },
    dependencies,
    // Providers of models: each is installed by who asks it.
    peerDependencies,
    peerDependenciesMeta,
  };
}
