import type { Measurement, Span } from '../ports.ts'

/** Returns what the end of a span adds to the metrics of a run: names and labels are AAIF's. */
export function measurementsOf(agentId: string, { name, attributes, error }: Span): readonly Measurement[] {
  const agent_id = agentId
  switch (name) {
    case 'aaif.agent.run': {
      const status =
        error === undefined
          ? 'success'
          : attributes['waybill.run.stop_reason'] === 'timeout'
            ? 'timeout'
            : 'error'
      const value = Number(attributes['waybill.run.duration_ms'])
      return [
        { name: 'aaif_agent_run_duration_ms', value, labels: { agent_id } },
        { name: 'aaif_agent_run_total', value: 1, labels: { agent_id, status } },
      ]
    }
    case 'aaif.agent.llm_call': {
      if (error !== undefined) return []
      const labels = {
        agent_id,
        provider: String(attributes['llm.provider']),
        model: String(attributes['llm.model']),
      }
      const cost = attributes['waybill.cost_usd']
      const tokens = (type: 'input' | 'output'): Measurement => ({
        name: 'aaif_agent_llm_tokens_total',
        value: Number(attributes[`llm.${type}_tokens`]),
        labels: { ...labels, type },
      })
      return [
        tokens('input'),
        tokens('output'),
        // If the price is unknown, no cost is added: adding 0 would look like a free model.
        ...(typeof cost === 'number'
          ? [{ name: 'aaif_agent_cost_usd_total' as const, value: cost, labels }]
          : []),
      ]
    }
    case 'aaif.agent.tool_call': {
      if (attributes['tool.protocol'] === 'agent') return []
      const labels = {
        agent_id,
        tool_name: String(attributes['tool.name']),
        status: error === undefined ? 'success' : 'error',
      }
      return [{ name: 'aaif_agent_tool_calls_total', value: 1, labels }]
    }
    default:
      return []
  }
}
