import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redactedSecrets } from '../../src/run/redacted-secrets.ts'
import { createRedactor } from '../../src/secret/redact.ts'
import { slowSecrets } from '../contract/slow-secrets.ts'

test('the redactor knows a value before the caller gets it, and still knows it after a change', async () => {
  const { secrets, set } = slowSecrets({ TOKEN: 'zebra-quartz-71' })
  const redactor = createRedactor(new Map())
  const wrapped = redactedSecrets(secrets, redactor)
  assert.equal(redactor.text('zebra-quartz-71'), 'zebra-quartz-71')
  assert.equal(await wrapped.get('TOKEN'), 'zebra-quartz-71')
  await set('TOKEN', 'mosaic-anvil-38')
  assert.equal(await wrapped.get('TOKEN'), 'mosaic-anvil-38')
  assert.equal(redactor.text('zebra-quartz-71 mosaic-anvil-38'), '[secret TOKEN] [secret TOKEN]')
})

test('an empty value of a store counts as not set', async () => {
  const wrapped = redactedSecrets({ has: () => true, get: async () => '' }, createRedactor(new Map()))
  assert.equal(await wrapped.get('TOKEN'), undefined)
})

test('every failure becomes SECRET_UNAVAILABLE, without a known value in it', async () => {
  const fail = () => {
    throw new Error('no zebra-quartz-71 here')
  }
  const redactor = createRedactor(new Map([['OTHER', 'zebra-quartz-71']]))
  const unavailable = {
    code: 'SECRET_UNAVAILABLE',
    message: 'the secret TOKEN cannot be fetched: no [secret OTHER] here',
  }
  const throwing = redactedSecrets({ has: fail, get: fail }, redactor)
  assert.throws(() => throwing.has('TOKEN'), unavailable)
  await assert.rejects(throwing.get('TOKEN'), unavailable)
  const rejecting = redactedSecrets({ has: async () => fail(), get: async () => fail() }, redactor)
  await assert.rejects(async () => rejecting.has('TOKEN'), unavailable)
  await assert.rejects(rejecting.get('TOKEN'), unavailable)
})
