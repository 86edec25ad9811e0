/** Explanations of the error codes M70xx to M73xx: the installation and the command line. */
import type { CodePage } from "../page.ts";

export const kernel = {
  // ── 70: the installation ──────────────────────────────────────────────────────────────────────
  M7001: {
    title: "this Node is too old",
    why: "Madrigal is TypeScript that Node runs as it is, which Node does from 22.18 on. On an older one the command runs itself again with the Node of its own package; that one is missing too. `npm install` in Madrigal's folder installs it, or put a newer Node on the PATH.",
  },
  M7002: {
    title: "what Madrigal needs could not be installed",
    why: "`npm start` and `npm test` first bring `node_modules` up to the lockfile. npm's own messages stand above this one: is the registry reachable, and may packages run their install scripts (`ignore-scripts`)?",
  },
  // ── 71: the command line ──────────────────────────────────────────────────────────────────────
  M7101: {
    title: "no such command",
    why: "`madrigal --help` lists the commands.",
  },
  M7102: {
    title: "no such option",
    why: "`madrigal COMMAND --help` lists the options of a command. Options begin with two dashes; after `--` nothing is taken for one.",
  },
  M7103: {
    title: "an argument is missing or too many",
    why: "`madrigal COMMAND --help` shows what stands where.",
  },
  M7104: {
    title: "an option has no value that it could have",
    why: "The message says what the option takes. `--input` takes a JSON object, or `@` and the path of a file that holds one; `--model` takes `ALIAS=ID`.",
  },
  M7105: {
    title: "this command is not built yet",
    why: "It is part of the plan, and its name is kept for it. `madrigal --help` lists what is there.",
  },
  M7106: {
    title: "no such code",
    why: "`madrigal explain CODE` knows the codes that messages show in brackets, like M2101.",
  },
  // ── 72: files ─────────────────────────────────────────────────────────────────────────────────
  M7201: {
    title: "the file can't be read",
    why: "There is no such file, it is a folder, or it may not be read by you. Paths are looked for from the working folder.",
  },
  M7202: {
    title: "the file is no text",
    why: "A program is text in UTF-8. This file holds bytes that are not: a picture, an archive, a database, or text in another encoding.",
  },
  M7203: {
    title: "there is no graph in the file",
    why: "A file needs at least one `graph NAME { … }` for anything to run. This one is empty or has only declarations and comments.",
  },
  M7204: {
    title: "a file of TypeScript can't be loaded",
    why: "The file that `import` or `--scope` names is looked for from the program's folder or the working folder, and must be a module that Node can load. The message is Node's own.",
  },
  M7205: {
    title: "the module has no such export",
    why: '`import { name } from "./file.ts"` needs `export` before `name` in that file.',
  },
  M7206: {
    title: "an error that nobody waited for",
    why: "TypeScript that a run called started something, did not wait for it, and it failed: a promise that was let go, a timer, an event. After a lost promise the run goes on; after an uncaught exception it is paused, since nobody knows what was left half done, and `madrigal resume` goes on from there. Await what you start, or catch its errors.",
  },
  M7207: {
    title: "the process was ended while a run was under way",
    why: "A function or tool of the program called `process.exit`. What was done is kept: `madrigal resume` goes on. A function that can't do its work throws an error; the run then fails, or tries again if its node says `retry`.",
  },
  M7208: {
    title: "the output can't be written",
    why: "The disk that stdout goes to is full, or the device refuses to be written. The command does its work to the end, and what a run did is kept: `madrigal show last` tells it again once there is room.",
  },
  M7209: {
    title: "there are no documents to search",
    why: "A program uses `docs.search`, `docs.read` or `docs.verify`, and the folder that they read is not there or has no Markdown of a package in it. MADRIGAL_DOCS names another folder; without it, it is `node_modules` of the workspace.",
  },
  // ── 73: the package as a library ──────────────────────────────────────────────────────────────
  M7301: {
    title: "Madrigal is loaded twice in one process",
    why: "Runs, tools and sessions of one copy mean nothing to another, so a second one is refused. `npm ls madrigal` shows who brings it; one version for all is the cure.",
  },
  M7775: {
    title: "an option of the other server",
    why: "`madrigal serve FILE` serves graphs over HTTP, with a token for each role in a file; `madrigal serve --a2a FILE` makes agents of them, with one token. Each has options that mean nothing to the other.",
  },
} as const satisfies Record<`M7${number}`, CodePage>;
