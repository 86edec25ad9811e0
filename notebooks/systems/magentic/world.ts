/** A made-up house on this machine: its site, a search engine for it, and the folder of its service, which the site serves. */
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createBrowserTools,
  createCodeTools,
  createFileTools,
  createWebTools,
  searxngSearch,
} from "madrigal";

interface Page {
  readonly title: string;
  readonly text: string;
}

const PAGES: Readonly<Record<string, Page>> = {
  "/repo": {
    title: "The lantern project",
    text: '<p>Lantern has 1234 stars.</p><a href="/repo/stars">Stars by month</a>',
  },
  "/repo/stars": {
    title: "Stars of lantern by month",
    text: "<p>July 1000, August 1100, September 1234</p>",
  },
  "/guide": {
    title: "How we write services",
    text: "<p>A list is read with GET at /api/ and its name, and is JSON.</p>",
  },
  "/shop/1": {
    title: "Shop of lamps",
    text: '<ul><li>Ghent costs 30</li><li>Bruges costs 25</li></ul><a href="/shop/2">More lamps</a>',
  },
  "/shop/2": {
    title: "Shop of lamps, page 2",
    text: "<ul><li>Bruges costs 25</li><li>Ostend costs 40</li></ul>",
  },
};

/** The followers of the house as they are found, one number a look. */
const FOLLOWERS = [9_998, 9_999, 10_001];

/** The files of the service: its routes, and its settings. */
const FILES = {
  "routes.json": '{ "/api/lamps": ["Ghent"] }\n',
  "service.env": "PORT=80\nDATABASE=lamps.db\n",
};

/** Opens the house on a free port of the loopback address, with tools that reach it. */
export async function openHouse() {
  const root = mkdtempSync(join(tmpdir(), "madrigal-house-"));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(root, name), text);
  // Code never runs as root: where this process does, the folder belongs to nobody.
  if (process.getuid?.() === 0) {
    for (const name of [".", ...Object.keys(FILES)]) chownSync(join(root, name), 65_534, 65_534);
  }
  let looks = 0;
  const reply = ({ pathname, searchParams }: URL): Reply => {
    const page = PAGES[pathname];
    if (page !== undefined) return shown(page);
    if (pathname === "/profile") {
      const followers = FOLLOWERS[looks++] ?? FOLLOWERS.at(-1);
      return shown({ title: "Profile", text: `<p>${followers} followers</p>` });
    }
    if (pathname === "/search") return [200, { results: hits(searchParams.get("q") ?? "", url) }];
    return pathname.startsWith("/api/") ? serviceReply(root, pathname) : [404, {}];
  };
  const server = createServer((request, response) => {
    const [status, body] = reply(new URL(request.url ?? "/", url));
    const isPage = typeof body === "string";
    response.writeHead(status, { "content-type": isPage ? "text/html" : "application/json" });
    response.end(isPage ? body : JSON.stringify(body));
  });
  await new Promise<void>((listening) => {
    server.listen(0, "127.0.0.1", listening);
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const privateHosts = ["127.0.0.1"];
  return {
    url,
    root,
    file: (name: keyof typeof FILES) => readFileSync(join(root, name), "utf8"),
    /** The service answers 500 until its settings name a database again. */
    loseSetting: () => writeFileSync(join(root, "service.env"), "PORT=80\n"),
    /** The command of a server of tools for the files of the house. */
    server: `node "${createRequire(import.meta.url).resolve("@modelcontextprotocol/server-filesystem/dist/index.js")}" "${root}"`,
    tools: {
      web: createWebTools({ privateHosts, search: searxngSearch({ baseURL: url }) }),
      browser: createBrowserTools({ privateHosts, report: false }),
      folder: createFileTools({ root }),
      code: createCodeTools({ cwd: root, effect: "workspace" }),
    },
    close: () => {
      server.closeAllConnections();
      server.close();
      rmSync(root, { recursive: true });
    },
  };
}

/** A status, and a page or what is sent as JSON. */
type Reply = readonly [status: number, body: unknown];

const shown = ({ title, text }: Page): Reply => [
  200,
  `<!doctype html><title>${title}</title><h1>${title}</h1>${text}`,
];

/** Returns the pages that have a word of the question in their title. */
function hits(question: string, url: string) {
  const wordsIn = (text: string) => text.toLowerCase().split(/\W+/);
  const asked = wordsIn(question);
  return Object.entries(PAGES)
    .filter(([, { title }]) => wordsIn(title).some((word) => asked.includes(word)))
    .map(([path, { title }]) => ({ title, url: url + path, content: title }));
}

/** The service of the house: what its routes say, once its settings name a database. */
function serviceReply(root: string, path: string): Reply {
  const read = (name: keyof typeof FILES) => readFileSync(join(root, name), "utf8");
  if (!read("service.env").includes("DATABASE=")) return [500, { error: "no database" }];
  const route: unknown = JSON.parse(read("routes.json"))[path];
  return route === undefined ? [404, {}] : [200, route];
}
