/** Headers of the answers of our servers: a browser shows an answer as what it is, in no frame of another site, and keeps none. */
export const OWN_ANSWER_HEADERS = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
} as const;
