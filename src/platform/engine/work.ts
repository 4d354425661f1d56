import type pg from 'pg'
import type { Records } from '../../run/record/records.ts'

/** Work that the workers of an installation share, such as sending webhooks. */
export interface Work {
  /** Names it among the others of a worker; an SQL identifier. */
  readonly name: string
  /** An SQL expression: whether there is something to do. It is evaluated about twice a second, so an index must serve it. */
  readonly due: string
  /** Begins to do what is due, and returns at once. @param isDue the value of the expression */
  look(isDue: boolean): void
  /** Finishes what is under way, or gives it back to other workers. */
  stop(): Promise<void>
}

/** What a worker gives to its works. */
export interface WorkHost {
  readonly engine: pg.Pool
  /** The records of an organisation, which the worker closes. */
  recordsOf(org: string): Pick<Records, 'runs'>
  log(level: 'warn', message: string): void
}

/** Returns the work of an engine that requests use too: its owner stops it. @param look begins to do what is due */
export function workOf(name: string, due: string, look: () => void): Work {
  return {
    name,
    due,
    look(isDue) {
      if (isDue) look()
    },
    async stop() {},
  }
}

export type OpenWork = (host: WorkHost) => Work
