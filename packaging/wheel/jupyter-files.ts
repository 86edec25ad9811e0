/** Makes the files by which a Jupyter of the same Python environment finds the kernel and its extension. */
import { extensionFiles } from "../../kernel/lab/extension-files.ts";
import { kernelspec } from "../../kernel/lab/kernelspec.ts";
import { LOGO_SVG } from "../../kernel/lab/logo.ts";
import { NODE_MAJOR } from "./metadata.ts";

/** Returns the files by their path in a wheel; pip puts them below `share/jupyter` of the environment. */
export function jupyterFiles(version: string): ReadonlyMap<string, Uint8Array> {
  const data = `madrigal_kernel-${version}.data/data/share/jupyter`;
  const texts = [
    ["kernels/madrigal/kernel.json", `${JSON.stringify(pythonKernelspec(), null, 2)}\n`],
    ["kernels/madrigal/logo-svg.svg", LOGO_SVG],
    ...[...extensionFiles()].map(([name, text]) => [`labextensions/madrigal/${name}`, text]),
  ] as const;
  return new Map(
    texts.map(([name, text]) => [`${data}/${name}`, new TextEncoder().encode(text)] as const),
  );
}

/** Returns our kernelspec, started by Python: Jupyter puts its own Python's path for the word `python`. */
function pythonKernelspec() {
  const launcher = "madrigal.js";
  const spec = kernelspec({ node: "python", nodeMajor: NODE_MAJOR, launcher });
  const flags = spec.argv.slice(1, spec.argv.indexOf(launcher));
  return {
    ...spec,
    argv: ["python", "-m", "madrigal_kernel", ...flags, "-f", "{connection_file}"],
  };
}
