/** Explanations of the error codes M86xx: pages of the web, search engines and the browser. */
import type { CodePage } from "./page.ts";

export const web = {
  M8600: {
    title: "this is no address of a page",
    why: "`web.read` reads whole addresses that begin with `http:` or `https:`, without a user or a password. Files, data and scripts are no pages.",
  },
  M8601: {
    title: "a private address",
    why: 'The address, or the one that its name or a redirect leads to, is not of the public internet: this machine, a local network, the metadata of a cloud, or a reserved range. A page could send an agent there to read what only you can. A program that means it declares the host: `createWebTools({ privateHosts: ["localhost:8080"] })`, or the variable MADRIGAL_WEB_PRIVATE with hosts between commas.',
  },
  M8602: {
    title: "a server can't be reached",
    why: "The name has no address, nobody listens there, the connection broke, its certificate is not valid, or what it sent is broken.",
  },
  M8603: {
    title: "a server was too slow",
    why: "A request has 30 seconds from the name of its host to the last byte of the answer; `createWebTools({ timeoutMs })` says otherwise.",
  },
  M8604: {
    title: "an answer of a server is too long",
    why: "At most 10 MiB are read, counted after decompression; `createWebTools({ bytesMax })` says otherwise.",
  },
  M8605: {
    title: "this is no text",
    why: "Pages of HTML, plain texts, Markdown, JSON, XML, YAML and scripts are read. Pictures, films, archives and documents such as PDF are not.",
  },
  M8606: {
    title: "a site forbids programs to read this",
    why: "The robots.txt of the site forbids this address to programs, or could not be asked (an answer of 500 and above). `createWebTools({ robots: false })` reads without asking, for who has leave of the site.",
  },
  M8607: {
    title: "a page can't be made readable",
    why: "The page is taken apart in a thread of its own with 20 seconds and 512 MB. This one took more, or broke its reader.",
  },
  M8608: {
    title: "a server refused a page",
    why: "The server answered with the status in the message: 404 where the page does not exist, 401 and 403 where it is not for everybody, 429 where it was asked too often.",
  },
  M8609: {
    title: "an address leads on and on",
    why: "At most five redirects are followed, each looked at like the first address.",
  },
  M8610: {
    title: "no search engine",
    why: "`web.search` asks the engine that the environment has a key or an address of (BRAVE_API_KEY, TAVILY_API_KEY, SEARXNG_URL), or the one that `createWebTools({ search })` names. None is there, or its key is not set.",
  },
  M8611: {
    title: "a search engine refused",
    why: "The engine answered with an error, or with something else than results. The message has its status and the beginning of its answer.",
  },
  M8612: {
    title: "an address leads to one that the guard has not decided on",
    why: "The guard of the run decided on the address that was asked for, and the site leads on to another host, or to an address that `guard.urls` blocks. A new call with that address is decided on like any other.",
  },
  M8620: {
    title: "the package for browsers is not installed",
    why: "The tools `browser.*` drive Chromium through the package playwright-core, which is installed by who uses them: `npm install playwright-core`. `madrigal doctor` says whether it is there.",
  },
  M8621: {
    title: "no browser is installed",
    why: "The tools `browser.*` use an installed Chromium or Chrome: the program that `createBrowserTools({ executable })` or the variable MADRIGAL_BROWSER names, else the first of `chromium`, `google-chrome` and the like on the PATH. Nothing is downloaded. Debian: `apt install chromium`.",
  },
  M8622: {
    title: "the browser does not start",
    why: "The program was found and ended at once; the message has its first line. A browser with `headed: true` needs a display. A sandbox that the system forbids is another reason: start the program by hand to see it.",
  },
  M8623: {
    title: "a page did not answer in time",
    why: "A page has 30 seconds to come, and its scripts a few to answer questions of the tools. A page whose script never ends can be left, and its tab closed.",
  },
  M8624: {
    title: "the browser ended",
    why: "The process of the browser ended while it was used. The next action starts it again and opens the tabs where they were. A click or a text that was under way may have reached the server of the page: in a run, a person is asked before it is made again.",
  },
  M8625: {
    title: "a page did not come",
    why: "The browser could not load the page: the server refused the connection, closed it, or its certificate is wrong. The message has the browser's own words.",
  },
  M8626: {
    title: "there is no such tab",
    why: "A browser has at most eight tabs unless `createBrowserTools({ tabsMax })` says otherwise, and they are numbered from 1. The one that was named is not there, or one more would be too many.",
  },
  M8627: {
    title: "the browser may not go there",
    why: "The address is private, has a scheme that is none of the web, or the run's guard does not permit it. This holds for the first address, for redirects, frames, other tabs, forms, sockets and everything else that a page asks for. `guard.urls` permits addresses; private ones are declared by `createBrowserTools({ privateHosts })` or MADRIGAL_WEB_PRIVATE.",
  },
  M8628: {
    title: "no such element",
    why: "Elements are named by the refs of an observation. The one that was named was never shown, is not on the page any more, or is another one now: what was approved is done to what was shown, and to nothing else. Another observation shows the page as it is.",
  },
  M8629: {
    title: "no more actions in this turn",
    why: "An agent acts at most five times in a turn of its node (`actionsMax`), and once a call of its model (`actionsAtOnce`), so that it sees what each action came to. What is left belongs to the next turn of the node, which goes on in the same browser.",
  },
  M8630: {
    title: "an action was not possible",
    why: "The element was covered by another one, moved, was disabled or not to be seen within five seconds (`actionMs`). The message has what was in the way.",
  },
  M8631: {
    title: "the browser is in other hands",
    why: "A person can take over the browser of an agent from its picture in a notebook, or by `takeOver()` of `run.livePages$`. One person has it at a time, until it is handed back, half an hour is over, or the run has ended.",
  },
} as const satisfies Record<`M86${number}`, CodePage>;
