/** Kernels as front ends start them: a process from the kernelspec, in a workspace of its own, and a client. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import type { Connection } from "../../../kernel/jupyter/wire/connection.ts";
import type { WireMessage } from "../../../kernel/jupyter/wire/message.ts";
import { ownKernelspec } from "../../../kernel/lab/kernelspec.ts";
import { KernelProcess } from "../../../kernel/notebook/execution/kernel-process.ts";
import { temporaryFolder } from "../../support/child.ts";
import { type JupyterClient, openClient, summary } from "../../support/jupyter-client.ts";

export interface RealKernel {
  /** Its working folder and workspace. */
  readonly home: string;
  readonly connection: Connection;
  readonly client: JupyterClient;
  /** Resolves with how the process ended, in words. */
  readonly ended: Promise<string>;
  kill(): void;
}

/** Runs until `kill`. */
export async function startRealKernel(home: string): Promise<RealKernel> {
  const { argv, env } = ownKernelspec();
  const spec = { argv, env: { ...env, MADRIGAL_HOME: home } };
  const process = await KernelProcess.start({ spec, cwd: home });
  const { connection, ended } = process;
  const client = await openClient(connection);
  const kill = () => {
    client.close();
    process.kill();
  };
  return { home, connection, client, ended, kill };
}

/** One for this test alone. */
export async function ownKernel(home = temporaryFolder()): Promise<RealKernel> {
  const kernel = await startRealKernel(home);
  onTestFinished(kernel.kill);
  return kernel;
}

/** One for all tests of a file, in their order. */
export function sharedKernel(): () => RealKernel {
  let kernel: RealKernel | undefined;
  beforeAll(async () => {
    kernel = await startRealKernel(mkdtempSync(join(tmpdir(), "madrigal-")));
  });
  afterAll(() => {
    kernel?.kill();
    if (kernel !== undefined) rmSync(kernel.home, { recursive: true, force: true });
  });
  return () => {
    if (kernel === undefined) throw new Error("only within tests");
    return kernel;
  };
}

/** What a cell showed, one line a message, without those that every cell has. */
export async function shown({ client }: RealKernel, code: string): Promise<string> {
  const { iopub } = await client.execute(code);
  return outputsOf(iopub).join("\n");
}

/** The same of messages. */
export function outputsOf(messages: readonly WireMessage[]): readonly string[] {
  return messages
    .filter(({ header }) => !["status", "execute_input"].includes(header.msg_type))
    .map(summary);
}
