/** Explanations of the error codes M86xx: pages of the web and search engines. */
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
} as const satisfies Record<`M86${number}`, CodePage>;
