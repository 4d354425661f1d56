import { isObject, type Json, type JsonObject } from '../../document/json.ts'

/** Returns the value that a person typed into a field of a form; a text that does not fit its type stays a text. */
export function fieldValue({ type }: JsonObject, typed: string): Json {
  const text = typed.trim()
  switch (type) {
    case 'boolean':
      return /^(true|yes|y)$/i.test(text) ? true : /^(false|no|n)$/i.test(text) ? false : typed
    case 'number':
    case 'integer':
      return text !== '' && Number.isFinite(Number(text)) ? Number(text) : typed
    case 'array':
      return text === '' ? [] : text.split(',').map((part) => part.trim())
    default:
      return typed
  }
}

/** Returns the values that a field allows, with their titles; undefined: it is not a choice. */
export function choicesOf(
  field: JsonObject,
): readonly { readonly value: string; readonly label: string }[] | undefined {
  const { enumNames } = field
  const listed = isObject(field.items) ? field.items : field
  const titled = listed.oneOf ?? listed.anyOf
  if (Array.isArray(titled)) {
    const choices = titled.flatMap((one: Json) =>
      isObject(one) && typeof one.const === 'string'
        ? [{ value: one.const, label: typeof one.title === 'string' ? one.title : one.const }]
        : [],
    )
    return choices.length === 0 ? undefined : choices
  }
  if (!Array.isArray(listed.enum)) return undefined
  const names: readonly Json[] = Array.isArray(enumNames) ? enumNames : []
  return listed.enum.flatMap((value: Json, index) => {
    const name = names[index]
    return typeof value === 'string' ? [{ value, label: typeof name === 'string' ? name : value }] : []
  })
}

/** Returns what a person reads about a field: its name, type, bounds and default. */
export function fieldText(name: string, field: JsonObject, isRequired: boolean): string {
  const { title, description, type, default: standard } = field
  const choices = choicesOf(field)
  const kind =
    choices === undefined ? String(type ?? 'text') : `one of ${choices.map(({ value }) => value).join(', ')}`
  const kinds = type === 'array' ? `any of ${choices?.map(({ value }) => value).join(', ') ?? 'texts'}` : kind
  const bounds = BOUNDS.flatMap(([member, word]) =>
    typeof field[member] === 'number' || typeof field[member] === 'string'
      ? [`${word} ${field[member]}`]
      : [],
  )
  return [
    `${name}${typeof title === 'string' && title !== name ? ` (${title})` : ''}: ${kinds}`,
    ...bounds,
    isRequired ? 'required' : 'optional',
    ...(standard === undefined ? [] : [`default ${JSON.stringify(standard)}`]),
    ...(typeof description === 'string' ? [description] : []),
  ].join('; ')
}

const BOUNDS = [
  ['minimum', 'at least'],
  ['maximum', 'at most'],
  ['minLength', 'from length'],
  ['maxLength', 'to length'],
  ['format', 'format'],
  ['pattern', 'pattern'],
] as const
