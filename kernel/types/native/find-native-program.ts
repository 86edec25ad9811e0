/** Finds the program of TypeScript 7, which npm installs in a package for each system. */
import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Absolute path of the manifest of the installed TypeScript 7. */
function installedTypeScript(): string {
  return createRequire(import.meta.url).resolve("typescript/package.json");
}

/**
 * Returns the program's path. Throws where this system has none or may not execute it, as on a disk that is mounted `noexec`:
 * starting it would then end the thread that does so.
 */
export function findNativeProgram(typescript: string = installedTypeScript()): string {
  const { platform, arch } = process;
  const manifest = `@typescript/typescript-${platform}-${arch}/package.json`;
  const folder = dirname(createRequire(typescript).resolve(manifest));
  const program = join(folder, "lib", platform === "win32" ? "tsc.exe" : "tsc");
  accessSync(program, constants.X_OK);
  return program;
}
