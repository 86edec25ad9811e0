/** Codes of runs on Restate: workers, their server, what such a run can't do. */
import type { CodePage } from "./page.ts";

export const restate = {
  M5801: {
    title: "the SDK of Restate is not installed",
    why: "`madrigal worker` needs the package @restatedev/restate-sdk beside Madrigal, in the project or in the working folder. Restate's server is a program of its own: `runtime/deploy/README.md` says where it comes from.",
  },
  M5802: {
    title: "no Restate server answers",
    why: "`--restate URL` names the ingress of a server (http://127.0.0.1:8080 where nothing else is set), `--admin URL` its administration, by default port 9070 of the same host. A worker that serves waits for a server that is restarted; a command says so at once.",
  },
  M5803: {
    title: "a run on Restate can't read streams",
    why: "A stream of a function lives in one process, and the attempts of a run on Restate are spread over many. Give `each` a list, or run the graph without Restate.",
  },
  M5804: {
    title: "a value is too large for a run on Restate",
    why: "Texts over 256 KB are kept in the folder of blobs, but a message of more than 8 MB is refused: the server takes 32 MB at most, and would try to send a larger one for ever. The call or the attempt that came to it fails. Write large data to an artifact or a file, and pass its name.",
  },
  M5805: {
    title: "the folder of blobs lacks a file",
    why: "Large texts and artifacts of a run on Restate are files of one folder, by their hash. All workers, and whoever pulls a run, need the same folder: `--blobs FOLDER`, on a shared disk where they run on several machines.",
  },
  M5806: {
    title: "Restate has no such run",
    why: "No run of that id was started there, or it was taken away by `madrigal pull RUN --forget`. The id is the whole one that the start returned.",
  },
  M5807: {
    title: "a run on Restate is under way",
    why: "A run that is under way is decided by Restate. Pause it before it moves to a workspace, `madrigal pull RUN --pause`, or look at a copy, `madrigal pull RUN --copy`, which has an id of its own.",
  },
  M5808: {
    title: "Restate refused a request",
    why: "The message is the server's. Often the graph is served by no worker: `madrigal worker FILE --restate URL` serves it.",
  },
  M5809: {
    title: "a graph can't run on Restate",
    why: "Strong agents have sessions on one machine, and fields of threads and users and memories are kept by a workspace: runs on Restate do not have them yet. Run the graph with `madrigal run`, or leave it out of the worker.",
  },
  M5810: {
    title: "the workers have another program",
    why: "A run that moves to Restate goes on there with the program it has, so a worker must serve exactly that: the file as it was when the run began. Start a worker with that version of it, or resume the run here with the program of today first.",
  },
  M5811: {
    title: "the port of a worker can't be opened",
    why: "Another process has it, or you may not open it. `--port N` names another one.",
  },
  M5812: {
    title: "Restate does not take a worker",
    why: "The server asks a worker what it serves, at the address that the worker tells. In containers and behind a balancer that is another one than the worker sees: `--advertise URL`.",
  },
  M5813: {
    title: "a run on Restate was stopped by a fault of Madrigal",
    why: "A decision threw, and would throw again, so it is not repeated. The log up to there is kept: pull the run, and report the message.",
  },
} as const satisfies Record<`M5${number}`, CodePage>;
