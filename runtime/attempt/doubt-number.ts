/** Numbers the questions about an attempt's calls, apart from its other questions, which count from 0. */
export function doubtNumber(call: number): number {
  return -1 - call;
}
