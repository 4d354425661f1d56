import { defined } from '../../document/defined.ts'
import type { JsonObject } from '../../document/json.ts'
import type { Grants } from '../../policy/endpoint-gate.ts'
import type { ApiDocument } from './api-document.ts'
import type { OperationBinding } from './binding.ts'
import { chooseServer } from './choose-server.ts'
import { type DeclaredAuth, joinAuth } from './join-auth.ts'
import { argumentsOf } from './operation-arguments.ts'
import type { Operation } from './operations.ts'

export type BoundOperation =
  | {
      readonly ok: true
      readonly binding: OperationBinding
      readonly parameters_schema: JsonObject
      readonly note?: string
    }
  | { readonly ok: false; readonly reason: string }

/** Everything needed to call one operation, as data; or why it can never be called. */
export function bindOperation(
  document: ApiDocument,
  operation: Operation,
  auth: DeclaredAuth | undefined,
  grants: Grants,
): BoundOperation {
  const server = chooseServer(document, operation, grants)
  if (!server.ok) return server
  const { signIn, note } = joinAuth(document, operation, auth)
  const { parameters_schema, parameters, body, notes, unavailable } = argumentsOf(document, operation, signIn)
  if (unavailable !== undefined) return { ok: false, reason: unavailable }
  const binding: OperationBinding = {
    method: operation.method,
    server: server.base,
    path: operation.path,
    parameters,
    ...defined({ body, sign_in: signIn }),
  }
  const said = note === undefined ? notes : [note, ...notes]
  return { ok: true, binding, parameters_schema, ...(said.length > 0 && { note: said.join('; ') }) }
}
