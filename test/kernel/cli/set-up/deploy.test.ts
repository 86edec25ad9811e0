/** The files of `runtime/deploy`: each calls commands that are there, with options that they have, and names the versions of the package. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { commands } from "../../../../kernel/cli/commands.ts";
import { projectRoot } from "../../../support/child.ts";
import { npmPackages } from "../../../support/npm/npm-programs.ts";

const fileOf = (name: string) => readFileSync(join(projectRoot, "runtime", "deploy", name), "utf8");
const manifest = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8"));

/** The words of each call of `madrigal`, by file. */
const calls: Readonly<Record<string, readonly string[]>> = {
  Dockerfile: JSON.parse(/^CMD (.*)$/m.exec(fileOf("Dockerfile"))?.[1] ?? "[]"),
  "compose.yaml": parse(fileOf("compose.yaml")).services.worker.command,
  "madrigal-serve.service": (
    /^ExecStart=\S+madrigal (.*)$/m.exec(fileOf("madrigal-serve.service"))?.[1] ?? ""
  ).split(" "),
  "kubernetes.yaml": parseAllDocuments(fileOf("kubernetes.yaml"))
    .map((document) => document.toJS())
    .find(({ kind }) => kind === "Deployment").spec.template.spec.containers[0].args,
};

test.each(Object.entries(calls))("the call in %s is one of a command", async (_, words) => {
  const [name = "", ...rest] = words;
  const { command } = (await commands[name]?.()) ?? {};
  expect(command).toBeDefined();
  const given = rest.flatMap((word) => /^--([\w-]+)/.exec(word)?.[1] ?? []);
  expect(given.length).toBeGreaterThan(0);
  for (const option of given) expect(Object.keys(command?.options ?? {})).toContain(option);
});

test("the image has this version of the package, and the SDK that it is tested with", () => {
  const image = fileOf("Dockerfile");
  expect(image).toContain(`COPY madrigal-${manifest.version}.tgz`);
  const sdk = manifest.devDependencies["@restatedev/restate-sdk"];
  expect(image).toContain(`@restatedev/restate-sdk@${sdk}`);
  const server = npmPackages("restate").map((name) => name.split("@").at(-1))[0] ?? "";
  const [, tag] = /restatedev\/restate:(\S+)/.exec(fileOf("compose.yaml")) ?? [];
  expect(server.startsWith(`${tag}.`)).toBe(true);
});

test("a balancer, the workers and Kubernetes agree on the port", () => {
  const [port] = /--port=(\d+)/.exec(fileOf("compose.yaml"))?.slice(1) ?? [];
  expect(fileOf("haproxy.cfg")).toContain(`worker:${port} `);
  expect(fileOf("haproxy.cfg")).toContain(`bind :${port} proto h2`);
  expect(fileOf("kubernetes.yaml")).toContain(`containerPort: ${port}`);
  expect(fileOf("Dockerfile")).toContain(String(port));
});
