import { defined } from '../document/defined.ts'
import { hostsForUse, urlFingerprint } from '../policy/call-fingerprint.ts'
import { judgeUrl } from '../policy/endpoint-gate.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import type { OperatorSettings } from './operator-settings.ts'
import type { Degradation, PlannedTelemetry } from './plan.ts'

const DEFAULT_HEADER = 'traceparent'
/** Headers that control the target, the sender or the framing of a request. A trace context must not replace them. */
const RESERVED =
  /^(host|connection|content-.*|transfer-encoding|upgrade|te|trailer|expect|accept.*|cookie|authorization|idempotency-key|proxy-.*|tracestate|mcp-.*|sec-.*|x-api-key|x-goog-.*|anthropic-.*|user-agent)$/i

export interface TelemetryParts {
  readonly telemetry: PlannedTelemetry
  readonly degradations: readonly Degradation[]
}

/** Returns the telemetry of an agent (AAIF §4.7). The definition's author chose the collector, so it needs a grant. */
export function planTelemetry({ agent }: AgentDefinition, settings: OperatorSettings): TelemetryParts {
  const { tracing = true, metrics = true, log_level = 'info', otlp_endpoint } = agent.telemetry ?? {}
  const environment = agent.runtime?.environment
  const header = agent.telemetry?.trace_context_header ?? DEFAULT_HEADER
  const usable = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(header) && !RESERVED.test(header)
  const degradations: Degradation[] = []
  if (!usable) {
    degradations.push({
      path: '/agent/telemetry/trace_context_header',
      reason: `the header "${header}" cannot carry a trace context; ${DEFAULT_HEADER} is used instead`,
      rule: 'AAIF-4.7-08',
    })
  }
  const verdict =
    otlp_endpoint === undefined
      ? null
      : judgeUrl(otlp_endpoint, hostsForUse(settings.grants, urlFingerprint(otlp_endpoint)))
  if (verdict?.allowed === false) {
    degradations.push({
      path: '/agent/telemetry/otlp_endpoint',
      reason: `telemetry is not sent to this collector: ${verdict.reason}; ${verdict.hint}`,
      rule: verdict.rule,
    })
  }
  return {
    telemetry: {
      tracing,
      metrics,
      log_level,
      trace_context_header: usable ? header : DEFAULT_HEADER,
      ...defined({ environment }),
      ...(verdict?.allowed === true && otlp_endpoint !== undefined && { otlp_endpoint }),
    },
    degradations,
  }
}
