/**
 * Gives the SQL that applies a patch (`c`) below a field to the field's parts (`p`: `{k, v}` each, `k` for members of an
 * object), for use in a `CASE`. Patches change a field, an item of a list or a member of an object, never more deeply.
 */
export const PATCHED_PARTS = `WHEN p.shape = 'OBJECT' THEN list_concat(
        list_filter(p.parts, lambda part: part.k <> c.key::VARCHAR),
        CASE c.op WHEN 'remove' THEN [] ELSE [{k: c.key::VARCHAR, v: c.value::VARCHAR}] END
      )
      ELSE list_concat(
        p.parts[:c.key::BIGINT],
        CASE c.op WHEN 'remove' THEN [] ELSE [{k: NULL::VARCHAR, v: c.value::VARCHAR}] END,
        p.parts[c.key::BIGINT + CASE c.op WHEN 'add' THEN 1 ELSE 2 END:]
      )`;
