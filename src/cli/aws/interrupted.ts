/** The run was ended by the user. An account's pages are kept. */
export class Interrupted extends Error {}

/** Calls a function with a signal that the first Ctrl-C aborts. A second Ctrl-C ends the process. */
export async function untilInterrupted<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interrupt = new AbortController();
  const onInterrupt = () => interrupt.abort();
  process.once('SIGINT', onInterrupt);
  try {
    return await run(interrupt.signal);
  } finally {
    process.removeListener('SIGINT', onInterrupt);
  }
}
