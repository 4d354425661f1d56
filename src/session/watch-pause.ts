import type { Records } from '../run/record/records.ts'

/** How often a process looks for a request to pause the run that it drives, in milliseconds. */
const LOOK_MS = 250

/**
 * Pauses a run when another process asks for it.
 * @param pause called with the name of the person who asks
 * @returns a function that ends the watch
 */
export function watchPause(
  { runs }: Pick<Records, 'runs'>,
  runId: string,
  pause: (by: string) => void,
): () => void {
  let looking = false
  const look = async () => {
    if (looking) return
    looking = true
    try {
      const by = await runs.takePause?.(runId)
      if (typeof by === 'string') pause(by)
    } catch {
      // The drive itself reports records that cannot be read.
    } finally {
      looking = false
    }
  }
  if (runs.takePause === undefined) return () => {}
  const timer = setInterval(look, LOOK_MS)
  timer.unref()
  return () => clearInterval(timer)
}
