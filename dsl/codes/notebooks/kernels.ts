/** Explanations of the error codes M78xx: clients of kernels that run already. */
import type { CodePage } from "../page.ts";

export const kernelClients = {
  M7800: {
    title: "no kernel of this name runs here",
    why: "`madrigal mcp --kernel` finds kernels by the files `kernel-*.json` in Jupyter's runtime folder (`jupyter --runtime-dir`, or JUPYTER_RUNTIME_DIR), which JupyterLab and VS Code write. It takes those of your own that only you can read, on the loopback interface, whose kernel answers and is one of Madrigal. `list_kernels` tells which there are and which files are left alone. Where several run, a call names one by its id or the beginning of that.",
  },
  M7801: {
    title: "the kernel does not answer",
    why: "Questions about cells, values and runs are answered by the thread that runs the cells, between two of its steps. A loop or a long call without an `await` keeps it. Wait for the cell, or interrupt it in the notebook; nothing was changed by the question.",
  },
} as const satisfies Record<`M78${number}`, CodePage>;
