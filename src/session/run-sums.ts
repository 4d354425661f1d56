import type { Records } from '../run/record/records.ts'
import { resultOf } from '../run/result.ts'

/** What a run used, for lists. A damaged record has none of the members. */
export interface RunSums {
  /** `provider/model` of the last answer; null if there is no model for the run. */
  readonly model?: string | null
  /** Milliseconds. */
  readonly duration_ms?: number
  /** US dollars; null if it is unknown. */
  readonly cost_usd?: number | null
}

/** Returns what a run used. */
export async function runSums(
  { runs }: Pick<Records, 'runs'>,
  { run_id, status }: { readonly run_id: string; readonly status: string },
): Promise<RunSums> {
  if (status === 'damaged') return {}
  try {
    const { plan, state } = await runs.read(run_id)
    const { model, usage } = resultOf(plan, state)
    return {
      model: model === null ? null : `${model.provider}/${model.model}`,
      duration_ms: usage.duration_ms,
      cost_usd: usage.cost_usd,
    }
  } catch {
    // The list shows the other runs as well.
    return {}
  }
}
