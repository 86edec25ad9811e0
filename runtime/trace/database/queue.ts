/** Makes a function that runs tasks one after the other, whether they fail or not. */
export function queue(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.catch(idle);
    return result;
  };
}

/** A task that does nothing: it is over when those before it are. */
export async function idle(): Promise<void> {}
