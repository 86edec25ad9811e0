/** Explanations of the error codes M5xxx: runs. */
import type { CodePage } from "./page.ts";

export const runs = {
  M5001: {
    title: "the input does not fit the graph's parameters",
    why: "A run starts with a value for every parameter that has no default, of the parameter's type, and nothing else. `madrigal graph FILE --json` lists the parameters.",
  },
  M5002: {
    title: "the text has errors, so it can't run",
    why: "`madrigal check FILE` shows them with their places.",
  },
  M5003: {
    title: "there is no graph of that name",
    why: "A file with several graphs needs the name of the one to run; the message lists them.",
  },
  M5004: {
    title: "the run is not in a state for this",
    why: "A succeeded run can't be resumed, a run that is over has no next step, a run that has ended can't be aborted, and one whose process died before anything of it was stored can only be started again. `madrigal show RUN` says how it stands.",
  },
  M5005: {
    title: "the run was aborted",
    why: "Somebody, or a signal, ended it. What was committed is kept, and `madrigal resume RUN` goes on from there.",
  },
  M5006: {
    title: "the run is paused",
    why: "It stopped on request (Ctrl-C, or `pause`), with everything that was done kept. `madrigal resume RUN` goes on.",
  },
  M5007: {
    title: "the run has no such step",
    why: "A run goes back to its start, `rewind(0)`, or to a step on the way to where it stands. Steps that a rewind undid are in the log and in the trace, but no part of that way any more.",
  },
  M5020: {
    title: "a recorded call does not fit the code any more",
    why: "The run goes on after a pause or a crash, and its next call differs from the one in its log: the node's tools or its TypeScript function changed. Nothing is served for a call it was not made for.",
  },
  M5021: {
    title: "it is not known whether a call took effect",
    why: "The process died, the connection was lost or the time was over between asking for an external effect and hearing of its result. It is never repeated by itself: the run asks. Look whether it happened, then say `happened` with what it came to, `again`, or `fail`; this is what comes of `fail`.",
  },
  M5201: {
    title: "a quorum can't be reached",
    why: "`[a, b, c] need 2`, or an `each … need 2`, waits for so many arrivals, and too many others have failed, were dropped, or went another way. An arrow `on error` behind the join says how to go on; inside an `each` with `on error skip` or `need` the item counts as failed.",
  },
  M5204: {
    title: "a node chose what is not behind its arrow",
    why: "A node in front of `a | b` goes on at one of these names, or at `end`. A model that names another is told so, with the names, and chooses again twice; then it is an error, for which an arrow `on error` may stand.",
  },
  M5030: {
    title: "graphs call each other without an end",
    why: "A graph may call itself, directly or through others, as long as something ends that: a condition before the call, a `max` on the arrow, a `limit … steps` of a graph around. At 64 graphs one in the other the call fails; its message names the way there.",
  },
  M5031: {
    title: "there is no graph of this name",
    why: "A node of kind `graph` calls a graph of its file, one that the file imports or one of an earlier cell. The text was checked where that could not be known, and when the node ran there was none.",
  },
  M5032: {
    title: "this is no plan",
    why: "A plan is `{ steps: [...] }`, and each step has `id`, `title` and `details`; it may have `agent` or `tool`, `depends` and `repeat`. It is checked when a node writes it to a field of type `Plan`, where a model is told and corrects it, and when `planGraph` runs it.",
  },
  M5033: {
    title: "two steps of a plan have one id",
    why: "Steps wait for each other by their ids, and their results are kept by them.",
  },
  M5034: {
    title: "a step depends on one that is not there",
    why: "`depends` names ids of the same plan. Results of an earlier plan are no steps of this one: put what is needed of them into the step's `details`.",
  },
  M5035: {
    title: "steps of a plan wait for each other",
    why: "None of them could begin. The message says the way round; take one of its steps out of the `depends` of the next.",
  },
  M5036: {
    title: "a step is for an agent that is not there",
    why: "`agent` names an agent of the graph that runs the plan. A step without one is for the only agent with a parameter of type `Step`; where there are several, or none, it must say whose it is.",
  },
  M5037: {
    title: "a step uses a tool that is not there",
    why: "`tool` names a tool that an agent of the graph lists, or a name that the file imports. It is called with the step's `details`: the object that they are in JSON, else the text.",
  },
  M5038: {
    title: "`repeat` of a step has no end",
    why: "It is written like `3 times`, `every 5m until the price is below 10 max 20`, `until the tests pass max 5` or `each of apples, pears`: how often, when, and until what, or for which items.",
  },
  M5060: {
    title: "`when` of a step can't be read",
    why: 'It is a condition over what the steps before came to, each by its id: `price != "sold"`, `look.includes("open")`, or `results["read-it"] == 3` for an id that is no name. It can read the steps that it waits for, directly or not, and nothing else. A step whose condition does not hold is skipped, and so is what waits for skipped steps alone; their results are null.',
  },
  M5301: {
    title: "the run waits for an answer, and nobody is there to give it",
    why: "A node asked somebody, and nothing else can run. The run itself goes on waiting, so nothing is lost: `run.interrupts` lists its questions, `run.answer(id, answer)` answers one, and `run.output` is a new promise from then on. To have questions answered at once, give the run `answers`: by node, or a function.",
  },
  M5310: {
    title: "nothing waits for this answer",
    why: "A question is answered once: it may have been answered already, have expired, or its node run may be gone. `run.interrupts` lists what is still asked.",
  },
  M5311: {
    title: "the answer does not fit the question",
    why: "An approval takes `approve`, `deny` or `edit`, a review `revise` as well, a limit `approve` or `deny`, a person's input a value of the type that the node writes. The question stays open, so it can be answered again. A question whose default answer (`within 2h else …`) does not fit is not asked at all, and its node fails.",
  },
  M5312: {
    title: "who was to answer failed",
    why: "The function in `answers`, or the policy or model behind `by`, threw or gave something that is no answer. Then a person is asked: a judge that can't judge never lets anything pass.",
  },
  M5313: {
    title: "somebody said no",
    why: "A person or a policy denied it, or nobody answered within the time that was given. It is never tried again by itself; an arrow `on deny` says where the run goes on, else it fails with the reason `denied`.",
  },
  M5314: {
    title: "somebody wants it done again",
    why: "A review was answered with `revise`: the node runs again and is told what to change. That uses up neither repairs nor retries.",
  },
  M5205: {
    title: "a command updates what its node does not write",
    why: "The `update` of a command names fields, and each must stand behind `writes` in the node: what a node may change is written where it is declared.",
  },
  M5206: {
    title: "the parts of a command contradict each other",
    why: "`finish` ends the run, so nothing can be gone to or sent with it; and of `a -> b | c`, or the branches of one choice, a `goto` takes one. Several arrows side by side may all be gone to.",
  },
  M5207: {
    title: "what a command sends does not fit its node's parameters",
    why: "`send: [{ to, args }]` starts a node with arguments by name: each parameter without a default needs one, and there are no others.",
  },
  M5330: {
    title: "an artifact can't be kept",
    why: "An artifact has a `name`, a `kind` (file, patch, report, code, chart, image, search, log, other) and `data`: a text, bytes, or a value that is JSON.",
  },
  M5331: {
    title: "the run has no such artifact",
    why: "An artifact is named by its id, as `run.artifacts` and the view `artifacts` have it. What an attempt made that did not commit is none.",
  },
  M5332: {
    title: "the bytes of an artifact are missing or damaged",
    why: 'The log says that it was made, but its file under `.madrigal/artifacts` was deleted or changed, or nothing of the run is kept (`store: "none"`).',
  },
  M5333: {
    title: "the run is over, and nobody would hear it",
    why: "`steer` says something to a run under way: the next model call hears it. A run that has succeeded makes none.",
  },
  M5334: {
    title: "nobody of that name could hear it",
    why: "`steer(text, { to })` names an agent or a router of the graph, or of one that it calls: nodes that ask a model.",
  },
  M5039: {
    title: "there is no plan to modify",
    why: '`modify` replaces the plan that a `planGraph` node is running, for the steps that have not ended. Where several run side by side it must say of which: `modify(plan, { of: "go#1" })`.',
  },
  M5040: {
    title: "the text is no plan of its format",
    why: "`plans.read` and `run.modify` read plans as JSON with `steps`, as the XML of Eko's planner, as the steps and `dag` of AWorld, and as the JSON of Magentic-UI's orchestrator. The format is guessed from the text, or named: `plans.read(text, { format: \"eko\" })`.",
  },
  M5041: {
    title: "a script of answers is used up",
    why: "`people.script` answers each question of a node with the next of its list. The run asked that node once more than there are answers: add one, or leave the node out, and a person is asked.",
  },
  M5315: {
    title: "what the program has no more was dropped",
    why: "The run goes on with a program without this node, and whoever resumed it said so (`--drop NODE`). What the node had under way ends without a commit; the run goes on where it led, as far as that is still there. Calls that it had made stay made.",
  },
  M5316: {
    title: "the run has to go on with its other program first",
    why: "It was opened with a program that its log does not have yet. The log gets it when the run goes on: `resume()` or `step()`. What is said to it before that (a rewind, an edit, another plan) would be decided by a program that whoever reads the log does not know.",
  },
  M5317: {
    title: "a file of an answer can't be taken",
    why: "A person who is asked for a file gives its name and its bytes: at the command line and in the box below a cell by a path, in a notebook's form or over HTTP by an upload. It must be there, be a file and not a folder, and have at least one byte; all files of one answer have at most 25 MB together, and there are at most 100. The question stays open.",
  },
  M5303: {
    title: "an Observable gave its values faster than they were taken",
    why: "An `each` takes the next item of a stream when one of its items is through. An Observable does not wait for that: 1,000 values are kept for it, and then there is no more room. Raise `parallel`, throttle or sample the Observable, or give an AsyncIterable, which waits until it is asked.",
  },
  M5320: {
    title: "the stream of an each failed",
    why: "The AsyncIterable or Observable that an `each` reads threw, or gave something that is not JSON. That is a failure of the `each`: the run fails, an item around it is dropped, or, with `on error skip`, the stream is taken to end there. Resumed, the run calls the source again, with `{ after: last }` behind its arguments.",
  },
  M5302: {
    title: "the program has changed too much for this run",
    why: "A run goes on with the program as it is now: prompts, models, tools, limits and retries may differ, nodes, arrows and fields too, and so may the graphs that it calls. What is under way must have a place in it: its node, the `each` around it, the join at which it waits, arrows that lead to it from where its branch began. `--map old=new` says what a node or a field is called now; `--drop NODE` that a node is to go, with what it has under way; `--force` takes another node of that name for the same. Parameters, reducers, and what values fields can have, must be as the log needs them. The hint names each thing that keeps it from that: put it back, or start a new run.",
  },
  M5340: {
    title: "a function that an expression or a reducer calls threw",
    why: "Its exception ends the attempt as a failure of class `tool`: `retry` and `on error` apply. Behind a node, on an arrow or in `end when`, there is no attempt to try again, and the run fails. Mend the function and resume.",
  },
  M5341: {
    title: "what a function of an expression returned is not JSON",
    why: "What decides about a run stands in its log, and that holds plain objects, lists, texts, finite numbers, booleans and null. The message names the place of what is none of these.",
  },
  M5342: {
    title: "a function of an expression did not come back",
    why: "While a condition, a prompt or a reducer waits for its function, nothing is decided. It may take a minute; long work belongs into a `run` node, which has limits and can be cancelled.",
  },
  M5343: {
    title: "nobody waits for this function's promise here",
    why: "`graph.prompt()` shows what a model would see without starting anything, so it can only call functions that answer at once.",
  },
  M5344: {
    title: "an expression or a reducer calls a tool that acts on the world outside",
    why: 'An expression is worked out again when a run goes on after a crash, and nobody is asked whether its call took effect. What `tool(fn, { effect: "external" })` declares is called by a `tool` or a `run` node, or by an agent: these ask.',
  },
  M5350: {
    title: "another run holds the thread",
    why: "Fields of `state thread` are what one run after the other makes of them, so only one run of a thread is under way at a time. A paused run, or one whose process died, still holds its thread: resume it or abort it.",
  },
  M5351: {
    title: "what is kept does not fit the field",
    why: "Fields of `state thread` and `state user` are found by their name by every later run, and the type of this one has changed since, or another graph of the thread uses the name for something else. The message says which run wrote the value, and at which node; `madrigal threads` shows what is kept, edits, resets and migrates it.",
  },
  M5352: {
    title: "the thread has gone on without this run",
    why: "Another run of its thread has ended since this one stopped. What this one knows of the thread's fields is of before, and going on would overwrite what the other one wrote.",
  },
  M5353: {
    title: "no such setting",
    why: '`config` of a run gives other values to settings of the file\'s `config { }`, of the types that they have there; `{ "Look.width": 7 }` to those of the file of a graph that is called.',
  },
  M5354: {
    title: "the edit does not fit the state",
    why: "`run.edit` gives fields of the run's state other values, of the types that they have. Parameters stay as they were given, and what belongs to one agent alone is nobody else's to change. Nothing of a refused edit is done.",
  },
  M5355: {
    title: "the run has no such agent",
    why: "An agent of a run is a node's one instance, by the node's name, or one of several by its own (`search@2.0`) or by the label of one of its node runs (`search#2`). The message lists those that there are so far.",
  },
  M5357: {
    title: "the run to go on from is of another thread",
    why: "`from` of a run, and `--from` on the command line, name an earlier run whose thread the new one goes on in: what that one left is what it begins with. Another thread as well would say two things. To have what a thread keeps in another one, copy it: `runs.copyThread(from, to)`.",
  },
  M5381: {
    title: "no such called graph",
    why: "`run.edit(…, { of })` and `run.agent(…)` reach into a graph that the run has called by the labels that lead to it, as `run.children` and the trace have them: `go#1`, `go#1 › deeper#2`. A name without its number means the only call of that node. What is over can be looked at, but not edited.",
  },
  M5382: {
    title: "an operator's handoff can't be used",
    why: "A strong agent may end its turn by handing its work over, as an agent does: to one of the names behind its node's arrow (`code -> review | end`). Without such names, or to several at once, nobody could say where the run goes on. The agent is told so, twice, before it is an error.",
  },
  M5380: {
    title: "a label that is not its parameter's",
    why: "Arguments of a function of TypeScript go in their order, whatever their labels say: a label only says which parameter it is, so that the call can be read. One that names another parameter, or none, would give a value to the wrong one.",
  },
  M5356: {
    title: "a returned field was never written",
    why: "The run came to its end on a way on which no node writes it, so there is nothing to return, and a result that is not there is no success: the reason is `missing_output`. A default, or `?` behind the field's name, says that it may stay empty.",
  },
  M5390: {
    title: "the run has no such node run to try again",
    why: "`run.retry` takes the label of a node run of the run itself (`search#2`), or its id. Those of a graph that it calls begin anew with the node that calls it.",
  },
  M5010: {
    title: "a limit was reached",
    why: "Reaching a limit is never a success: the run fails with the reason `limit:<name>`, and everything that was committed is kept. Raise the limit in the graph and resume the run, or find out with `madrigal show RUN` what used it up. Where a `max` was used up, a resume decides nothing anew: raise it and run the graph again with `madrigal rerun RUN`, which serves what is unchanged.",
  },
  M5011: {
    title: "an expression can't be evaluated for this state",
    why: "It reads a member of a value that is null or not written yet, or calls a method on a value of another type. Guard it with `?.` or `??`, or give the field a default. Or the sum of a field with `sum` is greater than a number can be.",
  },
  M5012: {
    title: "a written field is missing in the output",
    why: "A node that writes several fields returns an object with a member for each. Mark a field that may be left out with `?`, as in `writes a, b?`.",
  },
  M5013: {
    title: "a post-condition does not hold",
    why: "An `ensure` of the node was false on the state after its writes. The model was told so and tried again twice; nothing of the attempts was committed.",
  },
  M5014: {
    title: "a value does not fit what it is written to",
    why: "What the program computes (`set`, `writes n = …`, a default, an argument of a node or of a called graph, the result of a reducer in TypeScript) is checked against the declared type when it is written; nothing of the attempt is committed. What JSON can't hold fits no type: a number that is `NaN` or `Infinity`, as a division by zero gives it, a lambda, nothing in a list. The message says who writes, where the program says it, and at which path the value does not fit.",
  },
  M5401: {
    title: "a replay leaves the log",
    why: "A run is replayed from its log: everything that came from outside is taken from there, and everything that followed is decided again. Here another thing follows than is written. Replayed with another program, that is what the change would have made of the run; with the run's own program, the log was changed or written by another Madrigal.",
  },
  M5359: {
    title: "the run has no user",
    why: "The graph, or one that it calls, has fields of `state user`, which are those of one person: nobody's would be everybody's. Say whose they are with `--user ID`, or `run(input, { user })`.",
  },
  M5358: {
    title: "what is kept can't be changed so",
    why: "`madrigal threads` and `runs.threads` change what a thread or a user keeps as a whole: values that are JSON and fit the graph that is named, of a thread or user that keeps something, as it was when it was read, and take back remembered answers that there are. Nothing of a refused change is done.",
  },
  M5362: {
    title: "an entry of a memory that does not fit its type",
    why: "What a person writes into a memory is checked as what a run stores there: by the type that the last program with this memory declares. The entry stays as it was.",
  },
  M5361: {
    title: "a node can't be told to use something else",
    why: "`run.use(node, { model, tools, prompt })` is for a node of the graph, or of one that it calls (`go/search`), in a run that has not succeeded. It counts from the node's next attempt on.",
  },
  M5360: {
    title: "a sentinel gave up",
    why: "Three rounds of a node with `every` went wrong in a row: its attempt failed, its judge said that it could not do its work, or it could not be judged. What the rounds before wrote is kept. After an error the next round comes within 30 seconds, so that a short trouble passes.",
  },
  M5100: {
    title: "the store of runs can't be used",
    why: "SQLite refused for a reason that has no code of its own; its message says which. What was flushed before is kept.",
  },
  M5101: {
    title: "the folder can't be written",
    why: "Runs are kept in `.madrigal/` of the workspace. Make that folder writable, or set MADRIGAL_HOME to one that is. Commands that only read stored runs (`runs`, `show`, `report`, `diff`, `chart`, `replay`, `export`, `bisect`) need no right to write there, and no room: a report or an exported run then goes to the file that `--out` or the second argument names.",
  },
  M5102: {
    title: "runs.sqlite is damaged",
    why: "The file is not an SQLite database of Madrigal, or part of it was overwritten. If only the records of one run are damaged, the others can still be read: delete that run (`madrigal runs delete RUN`). Else move it, its -wal and its -shm aside; a new one is made with the next run. `sqlite3 FILE .recover` often saves the old one.",
  },
  M5103: {
    title: "runs.sqlite has a layout that this Madrigal doesn't read",
    why: "The message says which layout the file has, and which this Madrigal reads. A newer Madrigal wrote a later one, and writing to it could harm it: update madrigal, or work in another folder. Layouts 1 to 8 are of versions that were never released: move the file, its -wal and its -shm aside; a new one is made with the next run.",
  },
  M5104: {
    title: "runs.sqlite is locked",
    why: "Another process held the database for writing longer than Madrigal waits (5 seconds): a backup, a database browser, a file system without proper locks. What was flushed before is kept, and the run can be resumed.",
  },
  M5105: {
    title: "the run is driven by another process, or was until that died",
    why: "Two processes driving one run would do its work twice. Wait until the other has ended or stop it; a dead one gives way at once on the same machine and within a minute elsewhere. Reading the run is always possible, and so is answering, pausing, steering or aborting it; `await run.output` waits for the end that the other process brings about, and says so when that process is gone.",
  },
  M5106: {
    title: "this process no longer drives the run",
    why: "It could not renew its lease for over a minute (a machine asleep, a stopped process), and another process took the run over. Nothing was stored from here since.",
  },
  M5107: {
    title: "no such run",
    why: 'A run is named by its short id (the last eight digits, as `madrigal runs` lists them), by its whole id, by a beginning of that which no other run has, or by `last`. A run that is kept in memory alone (`store: "memory"`) is known to its own process only.',
  },
  M5108: {
    title: "several runs are named like this",
    why: "The beginning of an id, or its last digits, are enough only when one run of the workspace has them. The hint names the runs that have: write one of those.",
  },
  M5109: {
    title: "an artifact is missing or damaged",
    why: "Large values and files are kept under `.madrigal/artifacts` by the sha256 of their content. One was deleted or changed; the run's records that don't need it are still there.",
  },
  M5402: {
    title: "a record could not be traced",
    why: "A record of a run's log is of a kind that this Madrigal does not know, or damaged in itself. It is kept aside in the table `quarantine`, with the reason; the rest of the run is traced. The run itself is not touched: the log has the record as it is. If a newer Madrigal wrote it, update, then `madrigal trace rebuild`.",
  },
  M5110: {
    title: "the disk failed or is full",
    why: "A write was refused. What was flushed before is kept; make room, then resume the run.",
  },
  M5111: {
    title: "the session has no disk to keep a run on",
    why: "A session is made with or without a workspace on disk. One that keeps its runs in memory can't put a single run on disk: nothing would find it again.",
  },
  M5112: {
    title: "the file is no exported run, or no whole one",
    why: "`madrigal export` writes a run as one file that ends with a hash of all that stands before it. This one is something else, was cut off, or was changed since: nothing of it was taken. Export the run again, or copy the file again.",
  },
  M5113: {
    title: "the exported run is of a newer Madrigal",
    why: "The file says in its first line which version wrote it, and this Madrigal doesn't know that one. Update madrigal, then import the file.",
  },
  M5114: {
    title: "there is a run of this id already",
    why: "A run keeps its id when it is imported, so that what was noted of it stays true. Import it as a copy, which gets an id of its own, or have it take the place of the stored one.",
  },
  M5115: {
    title: "there is a thread of this name already",
    why: "A thread is copied to a name that no run and no kept field has: mixed with others, its runs would not be what they were.",
  },
  M5116: {
    title: "an exported run can't be read or written",
    why: "The file system refused; its message says why. A file that could not be written whole is not left behind.",
  },
} as const satisfies Record<`M5${number}`, CodePage>;
