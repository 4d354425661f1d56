/** A median over rounds, with the lowest and the highest. */
export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

export function spread(values: readonly number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) }
}

/** Reads the number of rounds of `--rounds`. Ends the process with a usage error if it is not a whole number ≥ `least`. */
export function roundsOf(text: string, least: number): number {
  const rounds = Number(text)
  if (Number.isInteger(rounds) && rounds >= least) return rounds
  process.stderr.write(`--rounds takes a whole number of at least ${least}, not "${text}"\n`)
  process.exit(2)
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

export function printSpread(figure: Spread | undefined, digits = 1): string {
  if (figure === undefined) return '-'
  return `${figure.median.toFixed(digits)} (${figure.min.toFixed(digits)} to ${figure.max.toFixed(digits)})`
}

/** Formats cells in aligned columns; the first line contains the titles. */
export function table(title: string, lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)))
  const text = lines.map((line) =>
    line
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return `\n${title}\n${text.join('\n')}\n`
}

/** A figure and its maximum. */
export interface Target {
  readonly what: string
  readonly figure: Spread
  readonly atMost: number
}

export function printTargets(targets: readonly Target[]): string {
  if (targets.length === 0) return ''
  return table('Targets', [
    ['', 'result', 'at most', ''],
    ...targets.map(({ what, figure, atMost }) => [
      what,
      printSpread(figure, atMost < 0.1 ? 4 : atMost < 10 ? 3 : 0),
      String(atMost),
      figure.median <= atMost ? 'met' : 'NOT MET',
    ]),
  ])
}
