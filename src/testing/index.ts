/** `waybill/testing`: doubles for models and tools, and values made from schemas. */
export { exampleOf } from './example-value.ts'
export { rehearsalModel, rehearsalTools } from './rehearsal.ts'
export {
  type Expectation,
  type ScriptedAnswer,
  type ScriptedModel,
  type ScriptedTurn,
  scriptedModel,
} from './scripted-model.ts'
