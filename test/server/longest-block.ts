/**
 * Measures the longest stretch of processor time in which this thread ran no timer: what a request holds the event loop
 * for. Processor time and not time of the clock, so that a busy machine does not count.
 */
export async function longestBlockMs(act: () => Promise<unknown>): Promise<number> {
  let before = threadMs()
  let longest = 0
  const beat = () => {
    const now = threadMs()
    longest = Math.max(longest, now - before)
    before = now
  }
  const timer = setInterval(beat, 1)
  try {
    await act()
    // The rest of the stretch in which the last promise was resolved.
    await new Promise((resolve) => setImmediate(resolve))
    beat()
  } finally {
    clearInterval(timer)
  }
  return longest
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
