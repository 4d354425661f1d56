type Write = (level: 'info' | 'warn', message: string) => void

/** Lines that a module may write in one second. */
const MOST_LINES = 50

/** Writes lines of modules to the log, a limited number of each place in a second, and states how many were left out. */
export function boundedLog(
  log: Write,
  now: () => number = () => performance.now(),
): (place: string, level: 'info' | 'warn', line: string) => void {
  const seconds = new Map<string, { start: number; lines: number }>()
  return (place, level, line) => {
    const at = now()
    const second = seconds.get(place) ?? { start: at, lines: 0 }
    if (at - second.start >= 1000) {
      const leftOut = second.lines - MOST_LINES
      if (leftOut > 0) log('warn', `functions ${place}: ${leftOut} lines were left out`)
      second.start = at
      second.lines = 0
    }
    second.lines++
    seconds.set(place, second)
    if (second.lines <= MOST_LINES) log(level, `functions ${place}: ${line}`)
  }
}
