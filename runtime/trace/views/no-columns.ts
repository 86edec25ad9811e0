/** Lists the columns that every view has, NULL where they do not apply. */

/** Of views whose rows are no call and no sum of calls. */
export const NO_MODEL = `NULL::VARCHAR AS model,
  NULL::VARCHAR AS model_source,
  NULL::BIGINT AS input_tokens,
  NULL::BIGINT AS output_tokens,
  NULL::DOUBLE AS cost_usd`;

/** Of views whose rows take no time. */
export const NO_DURATION = "NULL::BIGINT AS dur_us";
