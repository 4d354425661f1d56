/** `waybill/ports`: the interfaces that an extension implements and receives. */
export type { AnyCode, Code } from '../document/codes.ts'
export type { Json, JsonObject } from '../document/json.ts'
export type {
  Plan,
  PlannedAuth,
  PlannedMemory,
  PlannedModel,
  PlannedTool,
} from '../plan/plan.ts'
export type { Elicitation, QuestionAnswer, QuestionAnswers, ServerQuestion } from './elicitation.ts'
export type {
  DeclaredTool,
  Extension,
  ExtensionTools,
  MemoryBackend,
  MemoryOwner,
  MemoryServices,
  MemoryStore,
  ModelProviderExtension,
  ModelServices,
  OfferedTool,
  ToolProtocol,
  ToolServices,
} from './extension.ts'
export {
  type CallOutcome,
  HostFailure,
  type ModelAnswer,
  ModelFailure,
  type ModelFailureKind,
  type ModelOptions,
  type ModelPort,
  type ModelRequest,
  type Secrets,
  ToolFailure,
  type ToolPort,
  type ToolRequest,
} from './ports.ts'
export type {
  AssistantMessage,
  MemoryItem,
  Message,
  ToolCall,
  ToolMessage,
  Usage,
  UserMessage,
} from './state.ts'
