/**
 * Returns a function that keeps what it made last, for as long as it is asked for the same key. A rejected promise is
 * not kept.
 */
export function keepLast<Key, Value>(make: (key: Key) => Promise<Value>): (key: Key) => Promise<Value> {
  let last: { readonly key: Key; readonly value: Promise<Value> } | undefined
  return (key) => {
    if (last !== undefined && last.key === key) return last.value
    const made = { key, value: make(key) }
    last = made
    made.value.catch(() => {
      if (last === made) last = undefined
    })
    return made.value
  }
}
