import type { Json, JsonObject } from '../../document/json.ts'
import type { ApiDocument } from './api-document.ts'
import type { BodyBinding, ParameterBinding, SignIn } from './binding.ts'
import { type OperationParts, partsOf, schemaOf } from './operation-parts.ts'
import type { Operation } from './operations.ts'
import { textOf, withDescription } from './parameter-texts.ts'
import { selfContained } from './tool-schema.ts'

export interface OperationArguments {
  readonly parameters_schema: JsonObject
  readonly parameters: readonly ParameterBinding[]
  readonly body?: BodyBinding
  /** What the document describes, but is not an argument or not checked. */
  readonly notes: readonly string[]
  /** Why the operation can never be called. */
  readonly unavailable?: string
}

/**
 * Returns the arguments of an operation as one object: a member for each parameter, and `body` for the request body.
 * @param signIn the credentials, which the model does not provide
 */
export function argumentsOf(
  document: ApiDocument,
  operation: Operation,
  signIn: SignIn | undefined,
): OperationArguments {
  const parts = partsOf(document, operation, signIn)
  const { schema, note } = argumentsSchema(document, parts)
  const { parameters, body, notes, unavailable } = parts
  return {
    parameters_schema: schema,
    parameters: parameters.map(({ binding }) => binding),
    ...(body !== undefined && { body: { argument: body.argument, ...body.binding } }),
    notes: note === undefined ? notes : [...notes, note],
    ...(unavailable !== undefined && { unavailable }),
  }
}

function argumentsSchema(document: ApiDocument, { parameters, body }: OperationParts) {
  return selfContained(document, (copy) => {
    const properties: Record<string, Json> = {}
    const required: string[] = []
    for (const { described, binding, required: isRequired } of parameters) {
      properties[binding.argument] = withDescription(
        copy(schemaOf(document, described)),
        textOf(described.description),
      )
      if (isRequired) required.push(binding.argument)
    }
    if (body !== undefined) {
      properties[body.argument] = withDescription(body.schema(copy), body.description)
      if (body.required) required.push(body.argument)
    }
    return {
      type: 'object',
      properties,
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    }
  })
}
