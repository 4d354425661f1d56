import { isObject, type JsonObject } from '../../document/json.ts'
import { itemsAt } from '../loose-members.ts'

/** Returns the capabilities that are objects, each with its pointer; the card may have errors in other places. */
export function capabilitiesOf(
  card: JsonObject,
): readonly { readonly pointer: string; readonly capability: JsonObject }[] {
  return itemsAt(card, 'capabilities').flatMap((capability, index) =>
    isObject(capability) ? [{ pointer: `/capabilities/${index}`, capability }] : [],
  )
}
