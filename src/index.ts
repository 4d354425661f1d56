/** `waybill`: what the command line does with agents, for your own code. */
export { registriesOf } from './compose/extensions.ts'
export type { InlineHook, InlineTool } from './compose/functions.ts'
export type { ErrorObject, Issue, Json, JsonObject } from './document/issue.ts'
export { WaybillError } from './document/issue.ts'
export {
  decideApproval,
  type KeptRunsOptions,
  type ListedRun,
  type ListRunsOptions,
  listApprovals,
  listRuns,
  type ReadRun,
  readRun,
  type WaitingApproval,
} from './library/kept-runs.ts'
export type { PersonsWord, PlanOptions, RunOptions, TelemetryOptions } from './library/options.ts'
export {
  type BatchOptions,
  planRun,
  type ResumeOptions,
  resume,
  run,
  runBatch,
  type StartedRun,
  type StreamOptions,
  startResume,
  startRun,
} from './library/run.ts'
export type { McpServers } from './plan/operator-settings.ts'
export type { Plan } from './plan/plan.ts'
export { MemoryRouteBoard } from './run/drive/route-board.ts'
export type { RunEvent } from './run/event.ts'
export type { Extension } from './run/extension.ts'
export type { RouteBoard } from './run/ports.ts'
export type { RunResult } from './run/result.ts'
export type { AgentDefinition } from './spec/aaif/generated/agent.ts'
export { parseAgentDefinition } from './spec/aaif/parse-agent-definition.ts'
export { validateAgentDefinition } from './spec/aaif/validate-agent-definition.ts'
