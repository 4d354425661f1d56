/**
 * `waybill/testing`: test doubles for models and tools, example values for schemas, and contract suites for ports.
 */
export type { ContractCase } from './contracts/contract-case.ts'
export { memoryStoreContract } from './contracts/memory-store.ts'
export { type ModelSubject, modelPortContract } from './contracts/model-port.ts'
export { recordsContract } from './contracts/records.ts'
export type { RecordsSubject } from './contracts/records-fixture.ts'
export { type SecretsSubject, secretsContract } from './contracts/secrets.ts'
export { type TelemetrySubject, telemetryPortContract } from './contracts/telemetry-port.ts'
export { type ToolSubject, toolPortContract } from './contracts/tool-port.ts'
export { exampleOf } from './example-value.ts'
export { rehearsalModel, rehearsalTools } from './rehearsal.ts'
export {
  type Expectation,
  type ScriptedAnswer,
  type ScriptedModel,
  type ScriptedTurn,
  scriptedModel,
} from './scripted-model.ts'
