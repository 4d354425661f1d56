import { causeOf, GateRefusal } from '../adapters/net/gate-refusal.ts'
import type { Discovery } from '../plan/snapshot.ts'
import type { Discover } from '../resolve/resolve-definition.ts'

interface Answer {
  readonly url: string
  readonly status: number
  readonly headers: Headers
  readonly body: ArrayBuffer
}

/** The rule that the endpoint gate applies: an endpoint without a grant is not active. */
const GATED = 'AAIF-12-02'

/**
 * What was fetched for the root of a family, successful or not, so that a family that is resolved again after a person
 * has granted a host requests nothing twice. Only what the gate refused is not kept.
 */
export class Fetched {
  readonly #answers = new Map<string, Promise<Answer>>()
  readonly #discovered = new Map<string, Promise<Discovery>>()

  /** Returns a function that fetches each URL once. It takes a URL and options, like the guarded fetch. */
  fetchOnce(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
    return async (input, init) => {
      const key = JSON.stringify([String(input), init?.headers])
      const known = this.#answers.get(key) ?? answerOf(fetch(input, init))
      this.#answers.set(key, known)
      known.catch((error: unknown) => {
        if (causeOf(error, GateRefusal) !== undefined) this.#answers.delete(key)
      })
      return responseOf(await known)
    }
  }

  /** Returns a function that asks for the tools of each declaration once. */
  discoverOnce(discover: Discover): Discover {
    return async (tool, signal) => {
      const known = this.#discovered.get(tool.name) ?? discover(tool, signal)
      this.#discovered.set(tool.name, known)
      const discovery = await known
      if (!discovery.found && discovery.rule === GATED) this.#discovered.delete(tool.name)
      return discovery
    }
  }
}

async function answerOf(responding: Promise<Response>): Promise<Answer> {
  const response = await responding
  const { url, status, headers } = response
  return { url, status, headers, body: await response.arrayBuffer() }
}

/** The constructor of a response takes no URL. */
function responseOf({ url, status, headers, body }: Answer): Response {
  const hasBody = ![101, 204, 205, 304].includes(status)
  const response = new Response(hasBody ? body : null, { status, headers })
  return Object.defineProperty(response, 'url', { value: url })
}
