/** Defines the views that put long texts and cut values back into payloads. */

/** Payloads of calls with their long texts where they stood, for events with several. */
export const WHOLE_PAYLOADS = `
  SELECT
    p.run_id,
    p.seq,
    p.part,
    true AS has_blobs,
    string_agg(CASE WHEN p.place % 2 = 1 THEN coalesce(b.data, 'null') ELSE p.piece END, '' ORDER BY p.place) AS payload
  FROM (
    SELECT run_id, seq, part, unnest(pieces) AS piece, unnest(range(len(pieces))) AS place
    FROM (SELECT run_id, seq, part, string_split(payload, chr(1)) AS pieces FROM event_log WHERE has_blobs)
  ) p
  LEFT JOIN blob_log b ON b.run_id = p.run_id AND b.hash = p.piece
  GROUP BY p.run_id, p.seq, p.part`;

/** Instead of `event_log` where the payload of a call is read: most events have no blob, and most others one. */
export const WHOLE_EVENTS = `(
  SELECT e.* REPLACE (
    CASE
      WHEN e.blob IS NOT NULL THEN replace(e.payload, chr(1) || e.blob || chr(1), coalesce(b.data, 'null'))
      WHEN e.has_blobs THEN w.payload
      ELSE e.payload
    END AS payload
  )
  FROM event_log e
  LEFT JOIN blob_log b ON b.hash = e.blob AND b.run_id = e.run_id
  LEFT JOIN (${WHOLE_PAYLOADS}
  ) w ON w.has_blobs = e.has_blobs AND w.run_id = e.run_id AND w.seq = e.seq AND w.part = e.part
)`;

/** The blobs of a run, each once: long texts of calls, and values that were cut in their payload. */
export const BLOBS = `
CREATE OR REPLACE VIEW blobs AS
SELECT run_id, hash, bytes, data::JSON AS data
FROM blob_log`;

/** The value behind the \`blob\` of one that was cut: \`blob(payload ->> '$.output.blob')\`. */
export const BLOB = `
CREATE OR REPLACE MACRO blob(of_hash) AS (
  SELECT any_value(data)::JSON
  FROM blob_log
  WHERE hash = of_hash
)`;
