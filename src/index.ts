/** `waybill`: what the command line does with agents, for your own code. */

export { registriesOf } from './compose/extensions.ts'
export type { FunctionError, InlineHook, InlineTool, ToolCallContext } from './compose/functions.ts'
export type { AnyCode, Code } from './document/codes.ts'
export type { ErrorObject, Issue, UnplacedIssue } from './document/issue.ts'
export { WaybillError } from './document/issue.ts'
export type { Json, JsonObject } from './document/json.ts'
export type { Chat, OnBusy, SayOptions } from './library/chat.ts'
export type { DriveOptions, ResumeRunOptions, StartedRun, StreamOptions } from './library/drive-session.ts'
export type { AgentSource } from './library/given-agent.ts'
export { type LoadedAgent, type LoadOptions, loadAgent } from './library/load-agent.ts'
export { type Agent, type AgentRunOptions, openAgent } from './library/open-agent.ts'
export { openHome } from './library/open-home.ts'
export type { PlanOptions, TelemetryOptions } from './library/options.ts'
export { parseAgentDefinition, validateAgentDefinition } from './library/parse-definition.ts'
export { type ResumeOptions, resume, startResume } from './library/resume.ts'
export {
  type BatchOptions,
  planRun,
  type RunOptions,
  reviewPlan,
  run,
  runBatch,
  startRun,
} from './library/run.ts'
export {
  decideApproval,
  type ListRunsOptions,
  listApprovals,
  listRuns,
  type ReadRun,
  readRun,
  type StoredRunsOptions,
} from './library/stored-runs.ts'
export { type Tool, type ToolOptions, tool } from './library/tool.ts'
export type { ArgumentsOf, JsonSchema, Parameters } from './library/tool-arguments.ts'
export type { McpServers } from './plan/operator-settings.ts'
export type { Plan } from './plan/plan.ts'
export type { PlanFile } from './plan/plan-file.ts'
export type { QuestionAnswer, QuestionAnswers, ServerQuestion } from './run/elicitation.ts'
export type { RunEvent } from './run/event.ts'
export type { Extension } from './run/extension.ts'
export type { Secrets } from './run/ports.ts'
export type { RunResult } from './run/result.ts'
export type { Home } from './session/home.ts'
export type { PersonsDecision } from './session/leave-decision.ts'
export type { ListedRun } from './session/listed-runs.ts'
export type { WaitingApproval } from './session/waiting-approval.ts'
export type { AgentDefinition } from './spec/aaif/generated/agent.ts'
