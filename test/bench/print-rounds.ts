/** Measures rounds that warm up, then as many that count, and prints the figures of these as JSON. */
export async function printRounds(
  probe: () => number | Promise<number>,
  rounds: number,
): Promise<void> {
  for (let round = 0; round < rounds; round += 1) await probe();
  const figures: number[] = [];
  for (let round = 0; round < rounds; round += 1) figures.push(await probe());
  process.stdout.write(`${JSON.stringify(figures)}\n`);
}
