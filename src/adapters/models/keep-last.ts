/** Returns a function that caches its last result while the key stays the same. Does not cache a rejected promise. */
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
