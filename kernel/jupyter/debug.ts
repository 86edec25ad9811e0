/** Answers the debugger's requests for as long as there is no debugger: what it asks at once, and a clear no. */
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { wrongContent } from "./failed-request.ts";
import type { Dict } from "./wire/message.ts";

// JupyterLab shows a cell's number only where the path holds `ipykernel_`, and knows no other hash than this one.
const FOLDER = `${join(tmpdir(), `ipykernel_madrigal_${process.pid}`)}${sep}`;
const HASH_SEED = 0xc70f6907;

/** The content of a `debug_reply`: a response of the Debug Adapter Protocol. */
export function debug({ command, seq }: Dict): Dict {
  if (typeof command !== "string") throw wrongContent("debug_request", "has no `command`");
  const response = { type: "response", seq: 0, request_seq: seq ?? 0, command };
  return command === "debugInfo"
    ? { ...response, success: true, body: debugInfo() }
    : {
        ...response,
        success: false,
        message: `M7105: \`${command}\`: the debugger is not built yet`,
        body: {},
      };
}

function debugInfo(): Dict {
  return {
    isStarted: false,
    hashMethod: "Murmur2",
    hashSeed: HASH_SEED,
    tmpFilePrefix: FOLDER,
    tmpFileSuffix: ".ts",
    breakpoints: [],
    stoppedThreads: [],
    richRendering: false,
    exceptionPaths: [],
    copyToGlobals: false,
  };
}
