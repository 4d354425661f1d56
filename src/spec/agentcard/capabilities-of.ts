import type { JsonObject } from '../../document/issue.ts'
import { isObject, itemsAt } from '../loose-members.ts'

/** The capabilities that are objects, each with its pointer; the card may be broken elsewhere. */
export function capabilitiesOf(
  card: JsonObject,
): readonly { readonly pointer: string; readonly capability: JsonObject }[] {
  return itemsAt(card, 'capabilities').flatMap((capability, index) =>
    isObject(capability) ? [{ pointer: `/capabilities/${index}`, capability }] : [],
  )
}
