/** Starts another script as its child and lives as long: what stands between a front end and a kernel. */
import { spawn } from "node:child_process";

const [, , script = "", ...args] = process.argv;
spawn(process.execPath, [script, ...args], { stdio: "inherit" });
