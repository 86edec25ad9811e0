/** Answers `kernel_info_request`: the kernel's version, language and protocol. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Dict, PROTOCOL_VERSION } from "../wire/message.ts";

/** The content of a `kernel_info_reply`. */
export function kernelInfo(): Dict {
  const { version } = JSON.parse(
    readFileSync(new URL("../../../package.json", import.meta.url), "utf8"),
  );
  const typescript = createRequire(import.meta.url)("typescript-6/package.json").version;
  return {
    status: "ok",
    protocol_version: PROTOCOL_VERSION,
    implementation: "madrigal",
    implementation_version: version,
    language_info: {
      name: "typescript",
      version: typescript,
      mimetype: "text/typescript",
      file_extension: ".ts",
      pygments_lexer: "typescript",
      // JupyterLab finds our language by the name, and TypeScript by the rest where our extension is not installed.
      codemirror_mode: {
        name: "madrigal-cell",
        mime: "application/typescript",
        extensions: ["ts"],
      },
      nbconvert_exporter: "script",
    },
    banner: `Madrigal ${version}: TypeScript ${typescript}, graphs of agents, SQL over their traces`,
    help_links: [],
    supported_features: ["debugger", "kernel subshells"],
    debugger: true,
  };
}
