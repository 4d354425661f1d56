/** Time to close a connection or an extension, in milliseconds: one that never closes must not hold the end of a run. */
export const CLOSE_MS = 2000

/** Waits for work for at most `ms` milliseconds. Never throws: a failure and a timeout end the wait. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const time = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work.catch(() => {}), time])
  clearTimeout(timer)
}
