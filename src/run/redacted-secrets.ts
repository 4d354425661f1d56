import { WaybillError } from '../document/issue.ts'
import { messageOf } from '../document/message-of.ts'
import type { Redactor } from '../secret/redact.ts'
import type { Secrets } from './ports.ts'

export interface RedactedSecrets extends Secrets {
  /** Adds the values of a secret to the redactor. @throws SECRET_UNAVAILABLE */
  learn(name: string): Promise<void>
}

/**
 * Wraps secrets so that the redactor knows each value before the caller gets it. Adapters get this wrapper
 * only, so a value that changed since the last request is kept out of every record as well.
 * @throws SECRET_UNAVAILABLE from both methods if the store does not answer
 */
export function redactedSecrets(secrets: Secrets, redactor: Redactor): RedactedSecrets {
  const unavailable = (name: string, cause: unknown): WaybillError =>
    new WaybillError('SECRET_UNAVAILABLE', {
      fault: 'failed',
      message: `the secret ${name} cannot be fetched: ${redactor.text(messageOf(cause))}`,
      hint: 'check that the store of secrets can be reached, then try again',
    })
  return {
    has(name, to) {
      try {
        const answer = secrets.has(name, to)
        if (typeof answer === 'boolean') return answer
        return answer.catch((error: unknown) => {
          throw unavailable(name, error)
        })
      } catch (error) {
        throw unavailable(name, error)
      }
    },
    async get(name, to) {
      let value: string | undefined
      try {
        value = await secrets.get(name, to)
      } catch (error) {
        throw unavailable(name, error)
      }
      // A third-party store may return an empty value for a secret that is not set.
      if (value === undefined || value === '') return undefined
      redactor.add(name, value)
      return value
    },
    async learn(name) {
      try {
        const values = secrets.values === undefined ? [await secrets.get(name)] : await secrets.values(name)
        for (const value of values) if (value !== undefined && value !== '') redactor.add(name, value)
      } catch (error) {
        throw unavailable(name, error)
      }
    },
  }
}
