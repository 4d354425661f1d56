/** JSON Pointers (RFC 6901) as lists of unescaped steps and back. */

/** `['a/b', 0]` → `/a~1b/0`; the whole document is the empty string. */
export function toPointer(steps: readonly (string | number)[]): string {
  let pointer = ''
  for (const step of steps) pointer = appendStep(pointer, step)
  return pointer
}

export function appendStep(pointer: string, step: string | number): string {
  return `${pointer}/${typeof step === 'number' ? step : escapeStep(step)}`
}

/** Escapes a member name for a JSON Pointer. */
export function escapeStep(name: string): string {
  return name.includes('~') || name.includes('/') ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name
}

export function unescapeStep(step: string): string {
  return step.includes('~') ? step.replaceAll('~1', '/').replaceAll('~0', '~') : step
}

export function fromPointer(pointer: string): string[] {
  if (pointer === '') return []
  return pointer.slice(1).split('/').map(unescapeStep)
}

/** Returns the pointer of the container of a member; for the root, the root. */
export function parentOf(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')))
}

/** Returns the last step, unescaped; an empty string for the root. */
export function lastStep(pointer: string): string {
  return fromPointer(pointer).at(-1) ?? ''
}
