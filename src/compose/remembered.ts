/** Remembers what is read for each key for some time (milliseconds). */
export function remembered<T>(read: (key: string) => Promise<T>, ageMs: number): (key: string) => Promise<T> {
  const known = new Map<string, { readonly value: Promise<T>; readonly at: number }>()
  return (key) => {
    const now = performance.now()
    const found = known.get(key)
    if (found !== undefined && now - found.at < ageMs) return found.value
    const value = read(key)
    known.set(key, { value, at: now })
    value.catch(() => known.delete(key))
    return value
  }
}
