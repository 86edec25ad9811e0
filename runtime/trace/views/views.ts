/** Defines the main views (runs, calls, state changes, steps, events), and lists all views by name. */
import { AGENT_ACTIONS, CONTEXT_USAGE, TRAJECTORY } from "./agent-use-views.ts";
import { AGENT_CHANGES } from "./agent-views.ts";
import { BLOBS, WHOLE_EVENTS } from "./blob-views.ts";
import { CHAIN } from "./chain-view.ts";
import { ARTIFACTS, CONVERSATION_MESSAGES, INTERRUPTS, MESSAGES } from "./mail-views.ts";
import { MEMORIES } from "./memories-view.ts";
import { NO_DURATION, NO_MODEL } from "./no-columns.ts";
import { NODE_RUNS } from "./node-runs-view.ts";
import { OPEN_SPANS, SPANS } from "./span-views.ts";
import { EXECUTION_LOG, GRAPH_RUNS, PLAN_STEPS, SENTINEL_CHECKS } from "./story-views.ts";

/**
 * The views that people query. In views of things that last (`runs`, `node_runs`, `llm_calls`, `tool_calls`, `spans`) `ts` is when
 * they began and `dur_us` is NULL until they end; in the others `ts` is when it happened. `step` is the commit that the
 * row belongs to, NULL while its node run has not committed. A cost is NULL as soon as one of its parts is unknown.
 *
 * The ten views that the manual lists first share the columns of one form. They are NULL where they do not apply: `step`, `node`,
 * `node_run_id` and `attempt` in `runs`; `model` and `model_source` in `tool_calls`; `model` and those after it in
 * `messages`, `state_changes`, `steps`, `artifacts` and `interrupts`, which also have no `dur_us` but for `steps` (its
 * attempt's) and `interrupts` (until the answer). In `events` each row has those of its kind.
 *
 * Rows of a graph that a node run has called have its `path` (`go#1`, `go#1 › deeper#2`; else NULL): their `node` and
 * `label` say where they are, and their `step` is one of that graph.
 *
 * What a rewind undid is no part of the run's path: `steps` and `state_changes` leave it out, its node runs are `stale`
 * and have no `step`. Its calls were made and paid for: they stay in `llm_calls`, `tool_calls`, `spans` and `events`,
 * marked `stale`, and in the sums of `runs`.
 *
 * A fork begins with the records of the run that it left. What was called in them is `copied`: it was paid for there, has
 * no tokens and no cost here, and counts in no sum. So is what a run that is another one again (`rerun_of`) was served of
 * that one; its node runs are `served`. And so is an external call that a retry or a repair was served of an earlier attempt.
 */

/** One row a run: how it stands, what it was given, what came of it, and the sums of its calls. */
export const RUNS = `
CREATE OR REPLACE VIEW runs AS
WITH call AS (
  SELECT
    run_id,
    string_agg(DISTINCT model, ', ' ORDER BY model) AS model,
    string_agg(DISTINCT model_source, ', ' ORDER BY model_source) AS model_source,
    count(*) FILTER (kind = 'model.response' AND copied IS NULL) AS model_calls,
    count(*) FILTER (kind = 'tool.result' AND copied IS NULL) AS tool_calls,
    sum(input_tokens)::BIGINT AS input_tokens,
    sum(output_tokens)::BIGINT AS output_tokens,
    total_cost(input_tokens, cost_usd) AS cost_usd
  FROM event_log
  WHERE kind IN ('model.response', 'tool.result', 'function.result', 'controller.event')
  GROUP BY run_id
)
SELECT
  r.run_id,
  replace(r.run_id, '-', '') AS trace_id,
  r.thread_id,
  r.graph,
  r.graph_hash,
  r.forked_from,
  r.forked_from_seq,
  r.rerun_of,
  NULL::UINTEGER AS step,
  NULL::VARCHAR AS node,
  NULL::VARCHAR AS node_run_id,
  NULL::USMALLINT AS attempt,
  r.status,
  r.reason,
  r.started_at AS ts,
  r.ended_at,
  epoch_us(r.ended_at) - epoch_us(r.started_at) AS dur_us,
  r.steps,
  c.model,
  c.model_source,
  coalesce(c.model_calls, 0) AS model_calls,
  coalesce(c.tool_calls, 0) AS tool_calls,
  coalesce(c.input_tokens, 0) AS input_tokens,
  coalesce(c.output_tokens, 0) AS output_tokens,
  CASE WHEN c.run_id IS NULL THEN 0 ELSE c.cost_usd END AS cost_usd,
  r.error_code,
  r.error_message,
  r.error_node,
  r.models::JSON AS models,
  r.input::JSON AS input,
  r.output::JSON AS output,
  r.origin
FROM run_log r
LEFT JOIN call c ON c.run_id = r.run_id`;

/** One row a model call: what it read and wrote in tokens, what it cost, how long its first word took (`ttft_us`). */
export const LLM_CALLS = `
CREATE OR REPLACE VIEW llm_calls AS
SELECT
  r.run_id,
  r.thread_id,
  c.step,
  r.graph_path,
  r.node,
  r.node_run_id,
  r.label,
  r.attempt,
  r.ts - to_microseconds(r.dur_us) AS ts,
  r.dur_us,
  r.ttft_us,
  r.model,
  r.model_source,
  r.input_tokens,
  r.output_tokens,
  r.cached_tokens,
  r.reasoning_tokens,
  r.cache_write_tokens,
  r.cost_usd,
  r.price_in,
  r.price_out,
  r.price_cached,
  r.price_cache_write,
  r.price_source,
  r.price_as_of,
  r.transport_retries,
  r.status,
  r.error_class,
  r.error_code,
  q.payload::JSON AS request,
  r.payload::JSON AS response,
  r.stale,
  r.copied IS NOT NULL AS copied,
  r.seq
FROM ${WHOLE_EVENTS} r
LEFT JOIN ${WHOLE_EVENTS} q
  ON q.run_id = r.run_id AND q.span_id = r.span_id AND q.kind = 'model.request'
LEFT JOIN event_log c
  ON c.run_id = r.run_id AND c.node_run = r.node_run AND c.kind = 'commit' AND NOT c.stale
WHERE r.kind = 'model.response'`;

/** One row each time that the next model of a list was asked, because one before it failed: which, whom instead, and why. */
export const MODEL_FALLBACKS = `
CREATE OR REPLACE VIEW model_fallbacks AS
SELECT
  run_id,
  graph_path,
  node,
  node_run_id,
  label,
  attempt,
  ts,
  name AS failed,
  model AS asked,
  error_code,
  payload::JSON ->> 'why' AS why,
  stale,
  seq
FROM ${WHOLE_EVENTS}
WHERE kind = 'model.fallback'`;

/** One row a decision on a call of a tool: what was decided, by whom, why, and the hash of the arguments that were shown. */
export const GUARD_DECISIONS = `
CREATE OR REPLACE VIEW guard_decisions AS
SELECT
  run_id,
  graph_path,
  node,
  node_run_id,
  label,
  attempt,
  ts,
  name AS tool,
  status AS decision,
  reason AS decided_by,
  payload::JSON ->> 'judge' AS judge,
  payload::JSON ->> 'why' AS why,
  payload::JSON ->> 'hash' AS shown_hash,
  stale,
  seq
FROM ${WHOLE_EVENTS}
WHERE kind = 'guard.decided'`;

/** One row a call of a tool, with its arguments and what it gave or why it failed. */
export const TOOL_CALLS = `
CREATE OR REPLACE VIEW tool_calls AS
SELECT
  r.run_id,
  r.thread_id,
  c.step,
  r.graph_path,
  r.node,
  r.node_run_id,
  r.label,
  r.attempt,
  r.ts - to_microseconds(r.dur_us) AS ts,
  r.dur_us,
  r.name AS tool,
  NULL::VARCHAR AS model,
  NULL::VARCHAR AS model_source,
  r.input_tokens,
  r.output_tokens,
  r.cost_usd,
  r.status,
  r.error_class,
  r.error_code,
  q.payload::JSON AS request,
  q.reason AS explanation,
  r.payload::JSON AS result,
  r.stale,
  r.copied IS NOT NULL AS copied,
  r.seq
FROM ${WHOLE_EVENTS} r
LEFT JOIN ${WHOLE_EVENTS} q
  ON q.run_id = r.run_id AND q.span_id = r.span_id AND q.kind = 'tool.call'
LEFT JOIN event_log c
  ON c.run_id = r.run_id AND c.node_run = r.node_run AND c.kind = 'commit' AND NOT c.stale
WHERE r.kind = 'tool.result'`;

/** One row a patch, the initial state as step 0. */
export const STATE_CHANGES = `
CREATE OR REPLACE VIEW state_changes AS
SELECT
  e.run_id,
  e.thread_id,
  e.step,
  e.graph_path,
  e.node,
  e.node_run_id,
  e.label,
  e.attempt,
  e.ts,
  ${NO_DURATION},
  change.patch ->> '$.path[0]' AS field,
  change.patch ->> '$.op' AS op,
  change.patch -> '$.path' AS path,
  change.patch -> '$.value' AS value,
  e.seq,
  change.place,
  ${NO_MODEL}
FROM event_log e,
LATERAL (
  SELECT
    unnest(from_json(e.patches, '["JSON"]')) AS patch,
    unnest(range(json_array_length(e.patches)::BIGINT)) AS place
) change
WHERE e.patches IS NOT NULL AND NOT e.stale`;

/** One row a step, which is one commit of a run: who made it, and where the run went on from there. */
export const STEPS = `
CREATE OR REPLACE VIEW steps AS
SELECT
  run_id,
  thread_id,
  step,
  graph_path,
  node,
  node_run_id,
  label,
  attempt,
  ts,
  dur_us,
  list_distinct(from_json(patches, '[{"path": ["VARCHAR"]}]').list_transform(lambda p: p.path[1])) AS fields,
  payload::JSON -> '$.output' AS output,
  payload::JSON -> '$.writes' AS writes,
  patches::JSON AS patches,
  strlen(patches) AS patch_bytes,
  seq,
  ${NO_MODEL}
FROM event_log
WHERE kind = 'commit' AND NOT stale`;

/** Everything that happened, one row an event; `payload` has what its kind tells beside the columns. */
export const EVENTS = `
CREATE OR REPLACE VIEW events AS
SELECT
  replace(run_id, '-', '') AS trace_id,
  * EXCLUDE (blob, has_blobs, payload, patches),
  payload::JSON AS payload,
  patches::JSON AS patches
FROM ${WHOLE_EVENTS}`;

/** One row a graph that has run, by the hash of what it is; `text` is how it was written. */
export const GRAPHS = `
CREATE OR REPLACE VIEW graphs AS
SELECT
  graph_hash,
  name,
  file,
  text,
  ir::JSON AS ir
FROM graph_log`;

/** In the order in which they are made: a view stands after what it uses. */
export const views = {
  runs: RUNS,
  node_runs: NODE_RUNS,
  llm_calls: LLM_CALLS,
  model_fallbacks: MODEL_FALLBACKS,
  guard_decisions: GUARD_DECISIONS,
  tool_calls: TOOL_CALLS,
  messages: MESSAGES,
  state_changes: STATE_CHANGES,
  conversation_messages: CONVERSATION_MESSAGES,
  agent_changes: AGENT_CHANGES,
  steps: STEPS,
  chain: CHAIN,
  artifacts: ARTIFACTS,
  interrupts: INTERRUPTS,
  events: EVENTS,
  blobs: BLOBS,
  graphs: GRAPHS,
  spans: SPANS,
  open_spans: OPEN_SPANS,
  context_usage: CONTEXT_USAGE,
  agent_actions: AGENT_ACTIONS,
  trajectory: TRAJECTORY,
  execution_log: EXECUTION_LOG,
  graph_runs: GRAPH_RUNS,
  plan_steps: PLAN_STEPS,
  sentinel_checks: SENTINEL_CHECKS,
  memories: MEMORIES,
} as const;
