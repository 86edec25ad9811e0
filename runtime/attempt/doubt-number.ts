/** Questions of attempts are numbered from 0; those about its calls have numbers of their own, which no other question moves. */
export function doubtNumber(call: number): number {
  return -1 - call;
}
