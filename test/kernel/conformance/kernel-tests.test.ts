/** jupyter_kernel_test, the conformance tests of Jupyter's own project, on our kernel as Jupyter starts it. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { runProgram } from "../../../kernel/lab/run-program.ts";
import { temporaryFolder } from "../../support/child.ts";
import { jupyterEnv } from "../../support/nbclient.ts";
import { missing, pythonEnv } from "../../support/python-env.ts";

const reason = await missing("python-env");

test.skipIf(reason !== undefined)(
  "every test of jupyter_kernel_test passes, with all samples given",
  async () => {
    const home = temporaryFolder();
    const env = jupyterEnv(home);
    const script = join(import.meta.dirname, "kernel_tests.py");
    const { ok, text } = await runProgram([pythonEnv().python, script], { env, cwd: home });
    const results = [...text.matchAll(/^(test_\w+) .* \.\.\. (.*)$/gm)].map(
      ([, name, result]) => `${name} ${result}`,
    );
    expect({ ok, results: ok ? results : text }).toEqual({
      ok: true,
      results: [
        "test_clear_output ok",
        "test_completion ok",
        "test_display_data ok",
        "test_error ok",
        "test_execute_result ok",
        "test_execute_stderr ok",
        "test_execute_stdout ok",
        "test_history ok",
        "test_inspect ok",
        "test_is_complete ok",
        "test_kernel_info ok",
        "test_pager ok",
        "test_recv_iopub_welcome_msg ok",
      ],
    });
  },
);
