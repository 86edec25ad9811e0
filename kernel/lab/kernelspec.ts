/** Makes the content of kernel.json, by which Jupyter starts our kernel. */
import { fileURLToPath } from "node:url";
import { KERNEL_ENVIRONMENT, kernelFlags } from "../cells/node-flags.ts";

export interface Kernelspec {
  readonly argv: readonly string[];
  readonly display_name: string;
  readonly language: string;
  readonly interrupt_mode: "message";
  readonly kernel_protocol_version: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string>>;
}

export const KERNEL_NAME = "madrigal";
export const DISPLAY_NAME = "Madrigal (TypeScript)";
export const LANGUAGE = "typescript";

/** The kernel of this installation, on the Node that runs now. */
export function ownKernelspec(): Kernelspec {
  const major = Number.parseInt(process.versions.node, 10);
  return kernelspec({ node: process.execPath, nodeMajor: major, launcher: ownLauncher() });
}

/** Absolute path of `kernel/madrigal.js` of this installation. */
export function ownLauncher(): string {
  return fileURLToPath(new URL("../madrigal.js", import.meta.url));
}

/** Absolute paths only: who starts the kernel has another PATH and another working folder. */
export function kernelspec(of: {
  readonly node: string;
  readonly nodeMajor: number;
  readonly launcher: string;
}): Kernelspec {
  return {
    argv: [of.node, ...kernelFlags(of.nodeMajor), of.launcher, "kernel", "{connection_file}"],
    display_name: DISPLAY_NAME,
    language: LANGUAGE,
    interrupt_mode: "message",
    kernel_protocol_version: "5.5",
    metadata: { debugger: true },
    env: KERNEL_ENVIRONMENT,
  };
}
