// Generated from src/state/waybill-member.schema.ts by `npm run generate`. Do not edit.
import type { ErrorObject } from 'ajv'

/** Returns whether the value satisfies the schema; `errors` are those of the last call. */
export declare const validate: {
  (value: unknown): boolean
  errors?: ErrorObject[] | null
}
export default validate
