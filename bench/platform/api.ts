import type { Site } from './site.ts'
export interface Api {
  readonly routes: readonly {
    readonly name: string
    readonly per_second: number
    readonly p50_ms: number
    readonly p99_ms: number
    /** Answers that were no success. */
    readonly refused: number
  }[]
  /** Resident memory of the server before the first request, and its maximum. */
  readonly idle_mb: number
  readonly loaded_mb: number
}
export async function measureApi(_site: Site, _size: { readonly seconds: number }): Promise<Api> {
  throw new Error('later')
}
