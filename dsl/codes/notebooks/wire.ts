/** Explanations of the error codes M74xx: the wire protocol. */
import type { CodePage } from "../page.ts";

export const kernelWire = {
  // ── 74: the kernel and its front end ──────────────────────────────────────────────────────────
  M7401: {
    title: "the connection file is wrong",
    why: "A front end starts a kernel with the path of a JSON file that says which ports to use and how messages are signed. This one is missing, is no JSON, or asks for something that the kernel does not have. The message names it. `madrigal exec` starts a kernel without any of this.",
  },
  M7402: {
    title: "the kernel can't listen",
    why: "A port of the connection file is taken by another process, or this machine does not have its address. Start the kernel again: the front end then picks other ports.",
  },
  M7403: {
    title: "nobody can be asked",
    why: "The cell asked for input, but what runs the notebook said that it does not answer questions (`allow_stdin` is false, as in `madrigal exec` and nbconvert), or the window that ran the cell is gone, or the cell is over. Give the value in the notebook, or run it in JupyterLab or VS Code.",
  },
  M7404: {
    title: "the question was cancelled",
    why: "The cell was interrupted while it waited for an answer.",
  },
  M7405: {
    title: "the protocol's thread ended",
    why: "The thread of the kernel that talks to front ends stopped by a mistake of ours; without it the kernel can't be reached and ends too. What runs did is kept.",
  },
  M7406: {
    title: "an unknown request",
    why: "A front end asked for something that this kernel does not have. It gets this error instead of waiting for ever.",
  },
  M7407: {
    title: "a request without what it needs",
    why: "A front end sent a request that is signed and well formed, but lacks a part that it must have: the code of a cell, the command of a debugger. That is a mistake of the front end.",
  },
  M7408: {
    title: "there is no such subshell",
    why: "A front end sent a cell to a subshell of the kernel that was never made, was deleted, or belonged to the kernel before a restart; or it asked to delete such a one. The cell did not run. Run it again: the front end then takes the main shell or makes a new subshell.",
  },
  M7409: {
    title: "what a comm should carry is no JSON",
    why: "`comm.open`, `send` and `close` write their data as JSON for the front end. A BigInt, an object that holds itself, or one whose `toJSON` throws can't be written. Send numbers, strings, arrays and plain objects, and bytes as `buffers`.",
  },
  M7410: {
    title: "the comm is closed",
    why: "`send` was called on a comm that one of its ends has closed: the page was closed, nobody in the front end knows its target, or `close` was called here. `onClose` tells of it, `isOpen` says so; `comm.open` opens another.",
  },
  M7411: {
    title: "there is no front end to open a comm to",
    why: "Comms are lines between cells and a front end; a program without a kernel has none. Use them in cells of a notebook.",
  },
} as const satisfies Record<`M74${number}`, CodePage>;
