import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { merged, type RouteHistory } from '../run/decide/route-history.ts'
import { MemoryRouteBoard, type RouteHistories } from '../run/drive/route-board.ts'
import { homeOf } from './home.ts'

/** Routes seen longest ago are forgotten beyond this number. */
const MOST_ROUTES = 200
const SAVE_AFTER_MS = 500

/** A board that outlives the process. */
export interface RouteFile {
  readonly board: MemoryRouteBoard
  /** Writes what was seen since; without it that happens by itself within half a second, while the process lives. */
  save(): void
}

/**
 * Opens `routes.json` in Waybill's home. It holds what helps to choose and nothing that is owed to anybody: a file
 * that cannot be read counts as empty, and one that cannot be written is left alone.
 */
export function openRouteFile(env: Readonly<Record<string, string | undefined>>): RouteFile {
  const path = join(homeOf(env), 'routes.json')
  let timer: NodeJS.Timeout | undefined
  const save = () => {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    write(path, board.histories)
  }
  const board = new MemoryRouteBoard(read(path), () => {
    timer ??= setTimeout(save, SAVE_AFTER_MS).unref()
  })
  return { board, save }
}

function read(path: string): Map<string, RouteHistory> {
  try {
    const { v, routes } = JSON.parse(readFileSync(path, 'utf8')) as { v?: unknown; routes?: object }
    if (v !== 1 || typeof routes !== 'object' || routes === null) return new Map()
    return new Map(
      Object.entries(routes).filter((entry): entry is [string, RouteHistory] => isHistory(entry[1])),
    )
  } catch {
    return new Map()
  }
}

function isHistory(value: unknown): value is RouteHistory {
  const { at, turn, failures, answers, closed_until } = (value ?? {}) as Partial<RouteHistory>
  return (
    [at, turn, failures, closed_until ?? 0].every((number) => Number.isSafeInteger(number)) &&
    Array.isArray(answers) &&
    answers.every((answer) => Array.isArray(answer) && answer.length === 2 && answer.every(Number.isFinite))
  )
}

/** Others may have written meanwhile: what they saw is kept. */
function write(path: string, seen: RouteHistories): void {
  const all = read(path)
  for (const [key, history] of seen) {
    const other = all.get(key)
    all.set(key, other === undefined ? history : merged(history, other))
  }
  const kept = [...all].sort(([, a], [, b]) => b.at - a.at).slice(0, MOST_ROUTES)
  const next = `${path}.${process.pid}`
  try {
    mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 })
    writeFileSync(next, JSON.stringify({ v: 1, routes: Object.fromEntries(kept) }), { mode: 0o600 })
    renameSync(next, path)
  } catch {
    rmSync(next, { force: true })
  }
}
