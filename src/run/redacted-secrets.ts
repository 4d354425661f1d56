import { WaybillError } from '../document/issue.ts'
import { messageOf } from '../document/message-of.ts'
import type { Redactor } from '../secret/redact.ts'
import type { Secrets } from './ports.ts'

/**
 * Wraps secrets so that the redactor knows each value before the caller gets it. Adapters get this wrapper
 * only, so a value that changed since the last request is kept out of every record as well.
 * @throws SECRET_UNAVAILABLE from both methods if the store does not answer
 */
export function redactedSecrets(secrets: Secrets, redactor: Redactor): Secrets {
  const unavailable = (name: string, cause: unknown): WaybillError =>
    new WaybillError('SECRET_UNAVAILABLE', {
      fault: 'failed',
      message: `the secret ${name} cannot be fetched: ${redactor.text(messageOf(cause))}`,
      hint: 'check that the store of secrets can be reached, then try again',
    })
  return {
    has(name) {
      try {
        const answer = secrets.has(name)
        if (typeof answer === 'boolean') return answer
        return answer.catch((error: unknown) => {
          throw unavailable(name, error)
        })
      } catch (error) {
        throw unavailable(name, error)
      }
    },
    async get(name) {
      let value: string | undefined
      try {
        value = await secrets.get(name)
      } catch (error) {
        throw unavailable(name, error)
      }
      // A third-party store may return an empty value for a secret that is not set.
      if (value === undefined || value === '') return undefined
      redactor.add(name, value)
      return value
    },
  }
}
