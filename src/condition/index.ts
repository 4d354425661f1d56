export { checkCondition } from './check-condition.ts'
export { type CompiledCondition, compileCondition, evaluateCondition } from './compile-condition.ts'
export {
  CONDITION_LANGUAGES,
  type Condition,
  type ConditionLanguage,
  type ConditionResult,
  type StructuredCondition,
} from './condition.ts'
