import { describe } from 'node:test'
import { secretsContract } from 'waybill/testing'
import { environmentSecrets } from '../../src/adapters/secrets/environment-secrets.ts'
import { hold } from './hold.ts'
import { slowSecrets } from './slow-secrets.ts'

describe('a store of secrets: the environment', () =>
  hold(secretsContract, async () => {
    const env: Record<string, string | undefined> = {}
    return {
      secrets: environmentSecrets(env),
      set: (name, value) => {
        env[name] = value
      },
    }
  }))

describe('a store of secrets: an asynchronous one', () => hold(secretsContract, async () => slowSecrets()))
