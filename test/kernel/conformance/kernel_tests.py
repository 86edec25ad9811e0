"""jupyter_kernel_test with a sample for each thing that it can ask of a kernel."""
import unittest

import jupyter_kernel_test


class MadrigalTests(jupyter_kernel_test.KernelTests):
    kernel_name = "madrigal"
    language_name = "typescript"
    file_extension = ".ts"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # The first import of the package reads all its types: on a busy machine longer than a test waits for a reply.
        cls.kc.execute_interactive('import "madrigal"', allow_stdin=False, timeout=300)

    code_hello_world = 'console.log("hello, world")'
    code_stderr = 'console.error("oops")'

    completion_samples = [
        {"text": "consol", "matches": {"console"}},
        {"text": "[1, 2].toSor", "matches": {"toSorted"}},
    ]

    complete_code_samples = ["1 + 1", "const f = () => {\n  return 1;\n}", "graph G() {\n  start -> end\n}"]
    incomplete_code_samples = ["function f() {", "graph G() {", "[1,"]
    invalid_code_samples = ["const = 4", "x y z"]

    code_generate_error = 'throw new RangeError("too far")'

    code_execute_result = [
        {"code": "1 + 2", "result": "3"},
        {"code": "const three = 3;\nthree * 4", "result": "12"},
        {"code": 'await Promise.resolve("late")', "result": "'late'"},
    ]

    code_display_data = [
        {
            "code": 'import { display } from "madrigal";\n'
            'display({ toMimeBundle: () => ({ "text/html": "<b>x</b>", "text/plain": "x" }) })',
            "mime": "text/html",
        }
    ]

    code_history_pattern = "1 ? 2*"
    supported_history_operations = ("tail", "range", "search")

    code_page_something = 'import { page } from "madrigal";\nawait page("to read");'

    code_inspect_sample = "console"
    code_clear_output = 'import { clear } from "madrigal";\nclear()'


class MadrigalWelcomeTests(jupyter_kernel_test.IopubWelcomeTests):
    kernel_name = "madrigal"
    support_iopub_welcome = True


if __name__ == "__main__":
    unittest.main(verbosity=2)
