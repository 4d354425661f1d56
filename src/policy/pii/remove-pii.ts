import type { Json } from '../../document/json.ts'
import { JsonCleaner } from './clean-json.ts'
import { createPiiFinder, type PiiOptions } from './find-pii.ts'
import { withheldText } from './placeholder.ts'

/**
 * Returns a function that removes personal data where the placeholders of a run are not available. It changes nothing if
 * the handling keeps personal data.
 */
export function removePii(
  pii: (PiiOptions & { readonly handling: string }) | undefined,
): <T extends Json>(value: T) => T {
  if (pii === undefined || pii.handling === 'none' || pii.handling === 'detect') return (value) => value
  const find = createPiiFinder(pii)
  return (value) => new JsonCleaner(find, ({ kind }) => withheldText(kind)).json(value, '')
}
