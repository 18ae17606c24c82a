//! Outputs as programs write them, each with what a harness and the program itself write around the reason.

use super::find;
use crate::reason::ReasonClass::{self, *};

/// An output, and the class and the line of its reason.
const OUTPUTS: [(&str, ReasonClass, &str); 101] = [
    // What a tool quotes is no reason.
    (
        "Error: Found 2 matches of the string to replace, but replace_all is false.\nString:             assert \"lamp\" not in html\n            assert \"wick\" in html",
        ToolMessage,
        "Error: Found 2 matches of the string to replace, but replace_all is false.",
    ),
    (
        "No replacement was performed, old_str `def light(lamp):\n    raise ValueError(\"no wick\")\n    assert lamp\n` did not appear verbatim in /lamp/a.py.",
        ToolMessage,
        "No replacement was performed, old_str `…` did not appear verbatim in /lamp/a.py.",
    ),
    (
        "ERROR:\nNo replacement was performed, old_str `case WICK:\n    panic(\"no lamp\")` did not appear verbatim in /lamp/a.go.",
        ToolMessage,
        "ERROR: No replacement was performed, old_str `…` did not appear verbatim in /lamp/a.go.",
    ),
    (
        "Error reading file docs/lamp.md:\nFile not found: /lamp/docs/lamp.md",
        ToolMessage,
        "Error reading file docs/lamp.md: File not found: /lamp/docs/lamp.md",
    ),
    // A list of packages, of which one has the name of a failure.
    (
        "exitcode: 1 (execution failed)\nCode output: Package    Version\nexceptiongroup    1.2.2\nfailover    0.3\nfilelock    3.16\nFile not found.\n",
        Unknown,
        "File not found.",
    ),
    // What a shell says when it starts.
    (
        "Process exited with code 1\nOutput:\n/opt/homebrew/Library/Homebrew/brew.sh: line 60: cannot create temp file for here document: Operation not permitted\nsed: a.ts: No such file or directory\n",
        Shell,
        "sed: a.ts: No such file or directory",
    ),
    (
        "Exit code 1\n/home/keeper/.bashrc: line 3: wick: command not found\nno lamp",
        Unknown,
        "no lamp",
    ),
    // Go, without a package.
    (
        "Exit code 1\n# .\nno Go files in /lamp\nFAIL\t. [setup failed]",
        Unknown,
        "no Go files in /lamp",
    ),
    // Lines of the jobs of a workflow.
    (
        "Error: Job 'test' failed\n\n[CI/test-2] Run type checks\n[CI/test-2]   |   /lamp/a.py:12:5 - error: Type of \"wick\" is unknown\n[CI/test-2]   ❌  Failure - Main Run type checks [707ms]",
        Compiler,
        "/lamp/a.py:12:5 - error: Type of \"wick\" is unknown",
    ),
    // Compilers and linters.
    (
        "Exit code 101\n   Compiling lamp v0.1.0 (/lamp)\nwarning: unused variable: `a`\n --> src/a.rs:2:9\n\nerror[E0308]: mismatched types\n --> src/a.rs:3:5\n  |\n3 |     1\n  |     ^ expected `String`, found integer\n\nFor more information about this error, try `rustc --explain E0308`.\nerror: could not compile `lamp` (lib) due to 1 previous error",
        Compiler,
        "error[E0308]: mismatched types",
    ),
    (
        "> lamp@1.0.0 build\n> tsc -p .\n\nsrc/a.ts(12,5): error TS2304: Cannot find name 'wick'.\nFound 1 error.\nnpm ERR! code ELIFECYCLE\nnpm ERR! errno 2",
        Compiler,
        "src/a.ts(12,5): error TS2304: Cannot find name 'wick'.",
    ),
    (
        "src/a.ts:12:5 - error TS2304: Cannot find name 'wick'.\n\n12     wick();\n\nFound 1 error in src/a.ts:12",
        Compiler,
        "src/a.ts:12:5 - error TS2304: Cannot find name 'wick'.",
    ),
    (
        "gcc -c a.c\na.c: In function 'main':\na.c:3:5: error: 'wick' undeclared (first use in this function)\nmake: *** [Makefile:4: a.o] Error 1",
        Compiler,
        "a.c:3:5: error: 'wick' undeclared (first use in this function)",
    ),
    (
        "a.c:1:10: fatal error: lamp.h: No such file or directory\ncompilation terminated.",
        Compiler,
        "a.c:1:10: fatal error: lamp.h: No such file or directory",
    ),
    (
        "# example.org/lamp\n./a.go:9:2: no new variables on left side of :=\nFAIL\texample.org/lamp [build failed]\nFAIL",
        Compiler,
        "./a.go:9:2: no new variables on left side of :=",
    ),
    (
        "# example.org/lamp\n./a.go:12:5: undefined: wick\nFAIL\texample.org/lamp [build failed]\nFAIL",
        Compiler,
        "./a.go:12:5: undefined: wick",
    ),
    (
        "Lamp.java:3: error: ';' expected\n    int a\n         ^\n1 error",
        Compiler,
        "Lamp.java:3: error: ';' expected",
    ),
    (
        "\n/lamp/a.js\n  3:7  error  'a' is assigned a value but never used  no-unused-vars\n\n✖ 1 problem (1 error, 0 warnings)\n",
        Compiler,
        "3:7 error 'a' is assigned a value but never used no-unused-vars",
    ),
    (
        "Program.cs(3,4): error CS1002: ; expected [/lamp/lamp.csproj]\nBuild FAILED.",
        Compiler,
        "Program.cs(3,4): error CS1002: ; expected [/lamp/lamp.csproj]",
    ),
    // Tests.
    (
        "============ test session starts ============\ncollected 2 items\n\ntests/test_a.py .F [100%]\n\n=== FAILURES ===\n___ test_sum ___\n\n    def test_sum():\n>       assert add(1) == 3\nE       assert 2 == 3\nE        +  where 2 = add(1)\n\ntests/test_a.py:3: AssertionError\n=== short test summary info ===\nFAILED tests/test_a.py::test_sum - assert 2 == 3\n=== 1 failed, 1 passed in 0.04s ===",
        Test,
        "assert 2 == 3",
    ),
    (
        "=== short test summary info ===\nFAILED tests/test_a.py::test_sum - assert 2 == 3\n=== 1 failed, 1 passed in 0.04s ===",
        Test,
        "FAILED tests/test_a.py::test_sum - assert 2 == 3",
    ),
    (
        "FAIL src/a.test.js\n  ● total › rounds\n\n    expect(received).toBe(expected) // Object.is equality\n\n    Expected: 4250\n    Received: 4249\n\n      3 |   expect(total()).toBe(4250);\n\nTest Suites: 1 failed, 1 total\nTests:       1 failed, 1 total",
        Test,
        "Expected: 4250 Received: 4249",
    ),
    (
        "Exit code 1\n> vitest run\n ✓ a.test.ts (14 tests) 214ms\n ❯ b.test.ts (24 tests | 1 failed)\n   × total > rounds once\n     → expected 4249 to be 4250\n FAIL b.test.ts",
        Test,
        "expected 4249 to be 4250",
    ),
    (
        " FAIL  b.test.ts > total > rounds once\nAssertionError: expected 4249 to be 4250 // Object.is equality\n ❯ b.test.ts:4:17\n\n Test Files  1 failed (1)\n      Tests  1 failed (1)",
        Test,
        "AssertionError: expected 4249 to be 4250",
    ),
    (
        "running 2 tests\ntest a::adds ... ok\ntest a::sums ... FAILED\n\nfailures:\n\n---- a::sums stdout ----\n\nthread 'a::sums' (21) panicked at src/a.rs:9:5:\nassertion `left == right` failed\n  left: 2\n right: 3\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n\n\nfailures:\n    a::sums\n\ntest result: FAILED. 1 passed; 1 failed; 0 ignored\n\nerror: test failed, to rerun pass `--lib`",
        Test,
        "thread 'a::sums' (21) panicked at src/a.rs:9:5: assertion `left == right` failed left: 2 right: 3",
    ),
    (
        "Command: /bin/zsh -lc 'go test ./planner'\nChunk ID: 0ca2fd\nProcess exited with code 1\nOutput:\n--- FAIL: TestFallback (0.00s)\n    planner_test.go:819: expected a\nFAIL\nFAIL\texample.org/planner\t0.3s",
        Test,
        "--- FAIL: TestFallback (0.00s) planner_test.go:819: expected a",
    ),
    (
        "  total\n    1) rounds\n\n  0 passing (4ms)\n  1 failing\n\n  1) total\n       rounds:\n\n      AssertionError [ERR_ASSERTION]: 1 == 2\n      + expected - actual\n",
        Test,
        "AssertionError [ERR_ASSERTION]: 1 == 2",
    ),
    (
        "F\n======\nFAIL: test_sum (test_a.Sums)\n------\nTraceback (most recent call last):\n  File \"/a/test_a.py\", line 3, in test_sum\n    self.assertEqual(2, 3)\nAssertionError: 2 != 3\n\n------\nRan 1 test in 0.000s\n\nFAILED (failures=1)",
        Test,
        "AssertionError: 2 != 3",
    ),
    ("TAP version 13\nok 1 - a\nnot ok 2 - rounds\n1..2", Test, "not ok 2 - rounds"),
    (
        "Failures:\n\n  1) Lamp rounds\n     Failure/Error: expect(total).to eq(3)\n\n       expected: 3\n            got: 2\n\n1 example, 1 failure",
        Test,
        "Failure/Error: expect(total).to eq(3) expected: 3 got: 2",
    ),
    (
        "There was 1 failure:\n\n1) LampTest::testSum\nFailed asserting that 2 matches expected 3.\n\nFAILURES!\nTests: 1, Failures: 1.",
        Test,
        "Failed asserting that 2 matches expected 3.",
    ),
    // Exceptions.
    (
        "Exit code 1\nloading\nTraceback (most recent call last):\n  File \"/a/b.py\", line 3, in <module>\n    lamp()\n    ~~~~^^\nValueError: no wick\n\n[error] tool reported failure",
        Traceback,
        "ValueError: no wick",
    ),
    (
        "Traceback (most recent call last):\n  File \"a.py\", line 1\nKeyError: 'a'\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File \"a.py\", line 3\nlamp.errors.LampError: no lamp 'a'\nexitcode: 1",
        Traceback,
        "lamp.errors.LampError: no lamp 'a'",
    ),
    (
        "  × Failed to build `lamp`\n      [stderr]\n      Traceback (most recent call last):\n        File \"<string>\", line 14, in <module>\n          exec(code)\n      ModuleNotFoundError: No module named 'pkg_resources'\n\n      hint: This usually indicates a problem with the package",
        Traceback,
        "ModuleNotFoundError: No module named 'pkg_resources'",
    ),
    (
        "  File \"a.py\", line 3\n    def lamp(\n            ^\nSyntaxError: '(' was never closed",
        Traceback,
        "SyntaxError: '(' was never closed",
    ),
    (
        "/a/b.js:3\n    lamp.light();\n         ^\n\nTypeError: Cannot read properties of undefined (reading 'light')\n    at Object.<anonymous> (/a/b.js:3:10)\n    at Module._compile (node:internal/modules/cjs/loader:1554:14)\n\nNode.js v22.3.0",
        Traceback,
        "TypeError: Cannot read properties of undefined (reading 'light')",
    ),
    (
        "Exception in thread \"main\" java.lang.NullPointerException: no wick\n\tat Lamp.main(Lamp.java:3)",
        Traceback,
        "Exception in thread \"main\" java.lang.NullPointerException: no wick",
    ),
    // Shells and programs.
    (
        "Exit code 127\nbash: line 1: rg: command not found",
        Shell,
        "bash: line 1: rg: command not found",
    ),
    (
        "total 4\na.txt\ncat: b.txt: No such file or directory",
        Shell,
        "cat: b.txt: No such file or directory",
    ),
    (
        "Exit code 1\ncp: cannot create regular file '/a': Permission denied",
        Shell,
        "cp: cannot create regular file '/a': Permission denied",
    ),
    (
        "hint: Updates were rejected because the remote contains work\nTo example.org:a\n ! [rejected] main -> main (fetch first)\nerror: failed to push some refs to 'example.org:a'\nhint: See the 'Note about fast-forwards'",
        Shell,
        "error: failed to push some refs to 'example.org:a'",
    ),
    (
        "Exit code 128\nfatal: not a git repository (or any of the parent directories): .git",
        Shell,
        "fatal: not a git repository (or any of the parent directories): .git",
    ),
    (
        "npm ERR! code ENOENT\nnpm ERR! syscall open\nnpm ERR! path /a/package.json\nnpm ERR! enoent ENOENT: no such file or directory, open '/a/package.json'\n\nnpm ERR! A complete log of this run can be found in:",
        Shell,
        "npm ERR! enoent ENOENT: no such file or directory, open '/a/package.json'",
    ),
    (
        "npm error Missing script: \"lamp\"\nnpm error\nnpm error To see a list of scripts, run:\nnpm error   npm run",
        Shell,
        "npm error Missing script: \"lamp\"",
    ),
    (
        "Unable to find image 'lamp:latest' locally\ndocker: Error response from daemon: pull access denied for lamp.",
        Shell,
        "docker: Error response from daemon: pull access denied for lamp.",
    ),
    ("zsh:1: no matches found: src/*.rs", Shell, "zsh:1: no matches found: src/*.rs"),
    ("ls: /lamp: Operation not permitted", Shell, "ls: /lamp: Operation not permitted"),
    (
        "sh: 1: Syntax error: Unterminated quoted string",
        Shell,
        "sh: 1: Syntax error: Unterminated quoted string",
    ),
    ("E: Unable to locate package lamp", Shell, "E: Unable to locate package lamp"),
    // HTTP and JSON.
    ("Request failed with status code 502", Http, "Request failed with status code 502"),
    ("GET https://a.example/b\nHTTP/1.1 404 Not Found", Http, "HTTP/1.1 404 Not Found"),
    (
        "curl: (22) The requested URL returned error: 404",
        Shell,
        "curl: (22) The requested URL returned error: 404",
    ),
    (r#"{"error":{"code":3,"message":"no lamp with this id"}}"#, JsonError, "no lamp with this id"),
    (
        r#"{"message":"API rate limit exceeded","documentation_url":"https://a.example"}"#,
        JsonError,
        "API rate limit exceeded",
    ),
    (r#"{"error":"HTTP 503 from lamp.example"}"#, Http, "HTTP 503 from lamp.example"),
    // Tools, and what is left.
    (
        "<tool_use_error>File has not been read yet.</tool_use_error>\n\n[error] tool reported failure",
        ToolMessage,
        "File has not been read yet.",
    ),
    ("Command timed out after 2m 0.0s", Unknown, "Command timed out after 2m 0.0s"),
    ("ERROR:\nno `path`\nmore", Unknown, "ERROR: no `path`"),
    (
        "Process exited with code 1\nOutput:\nOn branch main\n  (use \"git push\")\n\nnothing to commit\n",
        Unknown,
        "nothing to commit",
    ),
    (
        "=== RUN   TestLamp\n    lamp_test.go:9: got 3, want 4\n--- FAIL: TestLamp (0.00s)\n=== RUN   TestWick\n--- PASS: TestWick (0.00s)\nFAIL",
        Test,
        "--- FAIL: TestLamp (0.00s) lamp_test.go:9: got 3, want 4",
    ),
    (
        "[lint:go] a.go:3:5: unused (deadcode)\n[lint:go] ERROR task failed",
        Compiler,
        "a.go:3:5: unused (deadcode)",
    ),
    (
        "Rebasing (1/2)\rRebasing (2/2)\rerror: could not apply 4f2a9c1... lamp",
        Shell,
        "error: could not apply 4f2a9c1... lamp",
    ),
    (
        "10:00:01  Running with lamp\n10:00:02  Compilation Error in model a\n10:00:02  Completed with 1 error and 0 warnings:",
        Unknown,
        "Compilation Error in model a",
    ),
    (
        "./a.go:9: t.Fatalf(\"lamp failed: %v\", err)\nrg: ./b: No such file or directory (os error 2)",
        Shell,
        "rg: ./b: No such file or directory (os error 2)",
    ),
    (
        "<tool_use_error>String to replace not found in file.\nString: log(\"ERROR: lamp failed\")</tool_use_error>",
        ToolMessage,
        "String to replace not found in file.",
    ),
    (
        "InputValidationError: lamp failed due to the following issue:\nThe parameter `a` is missing",
        ToolMessage,
        "InputValidationError: lamp failed due to the following issue: The parameter `a` is missing",
    ),
    (
        "apply_patch verification failed: Failed to find expected lines in /a/b.rs:\nlet error: u8 = 3;",
        ToolMessage,
        "apply_patch verification failed: Failed to find expected lines in /a/b.rs:",
    ),
    (
        "Output: bash: -c: line 8: syntax error: unexpected end of file\nExit Code: 2\nProcess Group PGID: 9",
        Shell,
        "bash: -c: line 8: syntax error: unexpected end of file",
    ),
    (
        "<tool_use_error>Found 2 matches of the string to replace, but replace_all is false.\nString: a</tool_use_error>",
        ToolMessage,
        "Found 2 matches of the string to replace, but replace_all is false.",
    ),
    (
        "=== test session starts ===\n... [299 characters truncated] ...\nIt is late\nExit code 1",
        Unknown,
        "It is late",
    ),
    (
        "--- FAIL: TestLamp (0.00s)\n    lamp_test.go:9:\n        Error: wick missing\n",
        Test,
        "--- FAIL: TestLamp (0.00s) lamp_test.go:9: Error: wick missing",
    ),
    (
        "--- FAIL: TestLamp (0.00s)\npanic: no wick [recovered]\n\t/a/lamp_test.go:9 +0x44",
        Test,
        "--- FAIL: TestLamp (0.00s) panic: no wick [recovered]",
    ),
    // What a linter says without a word for an error.
    (
        "[lint] $ golangci-lint run\n[lint] ERROR task failed\n\nlamp/a.go:17: 17-67 lines are duplicate of `lamp/b.go:16-66` (dupl)\nfunc lit() {\n\tlog(\"failed to light\")\n}\n1 issues:\n* dupl: 1",
        Compiler,
        "lamp/a.go:17: 17-67 lines are duplicate of `lamp/b.go:16-66` (dupl)",
    ),
    (
        "SIM115 Use a context manager\n   --> lamp/a.py:9:25\n    |\n9 |  open(wick)\n    |  ^^^^\n    |\n\nFound 1 error.",
        Compiler,
        "SIM115 Use a context manager",
    ),
    (
        "lamp/a.py:1:1: E902 No such file or directory (os error 2)\nFound 1 error.",
        Compiler,
        "lamp/a.py:1:1: E902 No such file or directory (os error 2)",
    ),
    // What a test fails with, not what it logs or where it is.
    (
        "tests/test_a.py:3: in test_sum\n    assert total > 3, \"wick\"\nE   AssertionError: wick\nE   assert 2 > 3\n=== short test summary info ===\nFAILED tests/test_a.py::test_sum",
        Test,
        "AssertionError: wick",
    ),
    (
        "=== RUN   TestLamp\n    lamp_test.go:12: Warning: the lamp is slow\n    lamp_test.go:13: lamp A has 1 wick(s)\n    lamp_test.go:14: lighting failed: it is late\n--- FAIL: TestLamp (0.00s)\nFAIL",
        Test,
        "--- FAIL: TestLamp (0.00s) lamp_test.go:14: lighting failed: it is late",
    ),
    (
        "=== RUN   TestLamp\n    lamp_test.go:12: lamp A has 1 wick(s)\n    lamp_test.go:14: lamp B is dark\n--- FAIL: TestLamp (0.00s)\nFAIL",
        Test,
        "--- FAIL: TestLamp (0.00s) lamp_test.go:14: lamp B is dark",
    ),
    (
        "    lamp_test.go:12: \n        \tError Trace:\t/a/lamp_test.go:12\n        \t            \t/a/lamps.go:16\n        \tError:      \tNot equal: \n        \t            \texpected: \"lit\"\n        \t            \tactual  : \"dark\"\n        \tTest:       \tTestLamp\n--- FAIL: TestLamp (0.00s)\nFAIL",
        Test,
        "--- FAIL: TestLamp (0.00s) lamp_test.go:12: Error: Not equal: expected: \"lit\" actual : \"dark\"",
    ),
    (
        "a.test.ts:\n9 |   expect(lit).toBe(true);\n                ^\nerror: expect(received).toBe(expected)\n\nExpected: true\nReceived: false\n\n(fail) lamp > lights [3.00ms]\n 1 fail\nerror: script \"test\" exited with code 1",
        Test,
        "error: expect(received).toBe(expected) Expected: true Received: false",
    ),
    (
        "=== RUN   TestLamp\n=== PAUSE TestLamp\n=== RUN   TestWick\n=== PAUSE TestWick\n=== CONT  TestLamp\n=== CONT  TestWick\n    wick_test.go:3: expected no wick\n=== NAME  TestLamp\n    lamp_test.go:9: expected light\n--- FAIL: TestLamp (0.00s)\n--- PASS: TestWick (0.00s)",
        Test,
        "--- FAIL: TestLamp (0.00s) lamp_test.go:9: expected light",
    ),
    (
        "--- FAIL: TestLamp (0.00s)\n    --- FAIL: TestLamp/dark (0.00s)\n        lamp_test.go:9: expected light\nFAIL",
        Test,
        "--- FAIL: TestLamp (0.00s) lamp_test.go:9: expected light",
    ),
    // A traceback in narrow lines.
    (
        "      Traceback (most recent call last):\n        File \"<string>\", line 11, in <module>\n          wick =\n      backend.light(\"/lamp\", {},\n      None)\n        File\n      \"/lamp/build.py\",\n      line 58, in light\n      ValueError: no wick\n\n      hint: This usually indicates a problem",
        Traceback,
        "ValueError: no wick",
    ),
    (
        "Traceback (most recent call last):\n  File \"/lamp/a_long_\nname.py\", line 3, in <module>\nKeyboardInterrupt",
        Traceback,
        "KeyboardInterrupt",
    ),
    (
        "10:00:01  9 of 18 ERROR creating table lamp [ERROR in 0.04s]\n10:00:02  Completed with 1 error:\n  IO Error: Corrupt lamp file\n10:00:02  Done.",
        Traceback,
        "IO Error: Corrupt lamp file",
    ),
    // Programs that say first what is wrong, and then much more.
    (
        "go: downloading example.org/lamp v1.0.0\ngo: updates to go.mod needed; to update it:\n\tgo mod tidy\n[test] ERROR task failed",
        Shell,
        "go: updates to go.mod needed; to update it: go mod tidy",
    ),
    (
        "Auto-merging a.rs\nCONFLICT (content): Merge conflict in a.rs\nerror: could not apply 4f2a9c1... lamp\nThe stash entry is kept in case you need it again.",
        Shell,
        "CONFLICT (content): Merge conflict in a.rs",
    ),
    (
        "ssh: Could not resolve hostname lamp.example\nfatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights",
        Shell,
        "ssh: Could not resolve hostname lamp.example",
    ),
    (
        "rg: the literal \"\\n\" is not allowed in a regex\n\nConsider enabling multiline mode",
        Shell,
        "rg: the literal \"\\n\" is not allowed in a regex",
    ),
    (
        "must provide `--title` when not running interactively\n\nUsage:  lamp light [flags]\n\nFlags:\n  -t, --title string   Title of a lamp that failed\n      --recover string Recover input",
        Unknown,
        "must provide `--title` when not running interactively",
    ),
    (
        "Exit code 1\n❌ No lamp for this room.\n\nFor all rooms, run:\n  lamp --all",
        Unknown,
        "No lamp for this room.",
    ),
    (
        "============ test session starts ============\nplatform linux -- Python 3.12.7\nrootdir: /lamp\nplugins: timeout-2.3\ncollected 9 items / 9 deselected / 0 selected\n\n=== 9 deselected in 0.58s ===",
        Unknown,
        "9 deselected in 0.58s",
    ),
    ("async-timeout 5.0.1\nLamp not found in errors.py", Unknown, "Lamp not found in errors.py"),
    // What a harness repeats or adds.
    (
        "Command: light\nDirectory: (root)\nOutput: it is late\nError: (none)\nExit Code: 1\nSignal: 0\nBackground PIDs: (none)\nProcess Group PGID: 9",
        Unknown,
        "it is late",
    ),
    (
        "<tool_use_error>InputValidationError: [\n  {\n    \"origin\": \"number\",\n    \"code\": \"too_big\",\n    \"path\": [\n      \"wicks\",\n      3\n    ],\n    \"message\": \"Too big: expected number to be <=9\"\n  }\n]</tool_use_error>",
        ToolMessage,
        "InputValidationError: wicks.3: Too big: expected number to be <=9",
    ),
    (
        "The lamp did not conform to the format.\nhttps://lamp.example/docs/errors.html",
        Unknown,
        "The lamp did not conform to the format.",
    ),
    (
        "pydantic_core._pydantic_core.ValidationError: 2 validation errors for Lamp\nwicks.0\n  Field required [type=missing, input_value={'a': 1}, input_type=dict]\n    For further information visit https://lamp.example\noil\n  Input should be a valid number [type=float_type]",
        Traceback,
        "pydantic_core._pydantic_core.ValidationError: 2 validation errors for Lamp wicks.0 Field required",
    ),
    (
        "The LLM did not conform to the edit format.\nhttps://aider.example/edit-errors.html\n# 1 SEARCH/REPLACE block failed to match!\n\n## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in a.py",
        Unknown,
        "## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in a.py",
    ),
    (
        "light : The term 'light' is not recognized as the name of a cmdlet.\nAt line:1 char:1\n+ light wick\n+ ~~~~~\n    + CategoryInfo          : ObjectNotFound: (light:String) [], CommandNotFoundException\n    + FullyQualifiedErrorId : CommandNotFoundException",
        ToolMessage,
        "light : The term 'light' is not recognized as the name of a cmdlet.",
    ),
    ("ran 3\n3 failed", Unknown, "3 failed"),
    ("", Unknown, ""),
];

#[test]
fn the_reason_is_the_line_that_says_what_went_wrong() {
    let wrong: Vec<_> = OUTPUTS
        .into_iter()
        .map(|(text, class, line)| (find(text), (class, line.to_owned())))
        .filter(|(found, expected)| found != expected)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_reason_does_not_depend_on_what_is_printed_around_it() {
    for (text, class, line) in &OUTPUTS {
        if line.is_empty() || text.starts_with('{') || *class == ToolMessage {
            continue;
        }
        let around = format!(
            "Chunk ID: 5a0c8d\nWall time: 0.05 seconds\nProcess exited with code 1\nOutput:\n{text}\nexitcode: 1\n[error] tool reported failure"
        );
        // Without a word for a failure, the last line of a command counts.
        if !line.starts_with("On branch") {
            assert_eq!(find(&around).1, *line, "{text}");
        }
    }
}

#[test]
fn a_command_of_many_lines_is_no_reason() {
    let text = "Command: /bin/sh -lc 'cat <<EOF\n  \"timeout\": 30\n  error: no\nEOF\ncp a A'\nChunk ID: 5a0c8d\nWall time: 0.1 seconds\nProcess exited with code 1\nOutput:\ncp: a and A are identical (not copied).\n";
    assert_eq!(find(text).1, "cp: a and A are identical (not copied).");
}

#[test]
fn a_command_that_codex_could_not_start_is_no_reason() {
    let not_started = |why: &str| {
        find(&format!("exec_command failed for `/bin/sh -lc 'error: no'`: CreateProcess {{ message: \"{why}\" }}")).1
    };
    assert_eq!(not_started(r#"Rejected(\"rejected by user\")"#), r#"Rejected("rejected by user")"#);
    let denied = r#"Codex(Sandbox(Denied { output: ExecToolCallOutput { exit_code: 1, stdout: StreamOutput { text: \"\", truncated_after_lines: None }, aggregated_output: StreamOutput { text: \"sh: operation not permitted: lamp\\n\", truncated_after_lines: None }, timed_out: false } }))"#;
    assert_eq!(not_started(denied), "sh: operation not permitted: lamp");
}

#[test]
fn what_differs_late_in_a_long_line_makes_another_reason() {
    use crate::model::ErrorLabel;
    use crate::reason::Reason;
    let of = |why: &str| {
        let name = "TestLamp".repeat(20);
        Reason::of(ErrorLabel::None, &format!("--- FAIL: {name} (0.00s)\n    a_test.go:9: {why}"))
            .key()
    };
    assert_ne!(of("no wick: expected 1"), of("no oil: expected 1"));
}
