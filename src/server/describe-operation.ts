import type { DescribedRoute } from '../http/route.ts'
import { bodyLimitOf, scopeOf, takesKey } from './register-routes.ts'

/** Returns what a client must know about an operation, from what the route declares. */
export function describeOperation(route: DescribedRoute): string {
  const { summary, details, query = {}, body } = route
  const sentences = [
    summary,
    details,
    accessOf(route),
    'cursor' in query && 'The list comes in pages: `next` of a page is the `cursor` of the following one.',
    body !== undefined && body.kind !== 'stream' && `The body has at most ${sizeOf(bodyLimitOf(route))}.`,
    takesKey(route) &&
      'A request with an `Idempotency-Key` may be repeated: it takes effect once, and has the same answer.',
  ]
  return sentences.filter((sentence) => typeof sentence === 'string').join(' ')
}

function accessOf(route: DescribedRoute): string {
  const { access, alsoScope } = route
  if (access === 'public') return 'It needs no token.'
  const roles = [...new Set([...access, 'admin'])].map((role) => `\`${role}\``)
  const scopes = [scopeOf(route), ...(alsoScope === undefined ? [] : [alsoScope])].map(
    (name) => `\`${name}\``,
  )
  return `It needs a token with the role ${either(roles)}; a token that is limited to scopes needs ${either(scopes)}.`
}

function either(names: readonly string[]): string {
  if (names.length < 2) return names.join('')
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

function sizeOf(bytes: number): string {
  const mebibytes = bytes / 1024 ** 2
  return Number.isInteger(mebibytes) ? `${mebibytes} MiB` : `${bytes} bytes`
}
