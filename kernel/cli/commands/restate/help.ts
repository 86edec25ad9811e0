/** Holds the help of the commands about Restate. */
import type { CommandHelp } from "../../command.ts";

export const RESTATE_HELP = {
  worker: {
    summary: "Serve graphs to a Restate server, which spreads runs over workers",
    usage: [
      "worker FILE… --restate URL [--admin URL] [--port N] [--host ADDRESS] [--advertise URL] [--blobs FOLDER] [--graph NAME]… [--scope FILE.ts] [--model ALIAS=ID]… [--identity KEY]… [--drain]",
    ],
    details: [
      "--restate URL    the server's ingress; runs start there: POST URL/Graph-NAME/start and URL/Graph-NAME/run",
      "--admin URL      its administration, else port 9070 of the same host",
      "--port N         the port to listen at, else one that is free; --host listens beyond this machine",
      "--advertise URL  the address under which the server reaches this worker, or what balances several",
      "--blobs FOLDER   the folder of large values, the same for all workers",
      "--identity KEY   takes calls of the server with this public key alone",
      "--drain          at a signal, serves until the runs of its version are over; a second signal ends it",
    ],
    examples: [
      "worker report.madrigal --restate http://127.0.0.1:8080",
      "worker graphs/*.madrigal --restate http://restate:8080 --host 0.0.0.0 --port 9080 --advertise http://workers:9080 --drain",
    ],
  },
  pull: {
    summary: "Bring a run from Restate into this workspace",
    usage: [
      "pull RUN --restate URL [--pause] [--copy | --replace] [--forget] [--blobs FOLDER] [--json]",
    ],
    details: [
      "RUN        its whole id; a run that is over stays there too, a paused one moves here",
      "--pause    pauses a run that is under way first",
      "--copy     gives it a new id here, and it goes on there",
      "--forget   takes a run that is over away from Restate",
    ],
    examples: [
      "pull 01998a52-7c3e-7d41-b6a0-0c1d2e3f4a5b --restate http://127.0.0.1:8080",
      "pull 01998a52-7c3e-7d41-b6a0-0c1d2e3f4a5b --restate http://127.0.0.1:8080 --pause",
    ],
  },
  push: {
    summary: "Have a run that stands still here go on with Restate",
    usage: ["push RUN --restate URL [--blobs FOLDER] [--json]"],
    details: [
      "The run moves: it keeps its id, and this workspace has it no more until it is pulled.",
    ],
    examples: [
      "push last --restate http://127.0.0.1:8080",
      "push 01998a52 --restate http://restate:8080",
    ],
  },
} as const satisfies Readonly<Record<string, CommandHelp>>;
