import { ADMINS, READERS, routesOf } from '../../http/route.ts'
import { PAGE, pageOf, removed } from '../../http/schema.ts'
import { ORGANISATION } from '../people/names.ts'
import { newSecret, type SecretsOf, secretView } from './secret.ts'

const route = routesOf<{ readonly secrets: SecretsOf }>()

export const listSecrets = route({
  method: 'GET',
  path: '/v1/secrets',
  name: 'listSecrets',
  summary: 'Lists the secrets of the organisation, without their values.',
  tag: 'secrets',
  access: READERS,
  query: { ...PAGE, ...ORGANISATION },
  failures: [404],
  answers: { 200: { description: 'A page of secrets.', schema: pageOf(secretView) } },
  async handle({ tenant, query: { organisation, ...page } }) {
    return { status: 200, json: await (await tenant.secrets(organisation)).list(page) }
  },
})

export const readSecret = route({
  method: 'GET',
  path: '/v1/secrets/{name}',
  name: 'readSecret',
  summary: 'Returns what is known of a secret, without its value.',
  tag: 'secrets',
  access: READERS,
  query: ORGANISATION,
  answers: { 200: { description: 'The secret.', schema: secretView } },
  async handle({ tenant, params, query }) {
    return { status: 200, json: await (await tenant.secrets(query.organisation)).read(params.name) }
  },
})

export const setSecret = route({
  method: 'PUT',
  path: '/v1/secrets/{name}',
  name: 'setSecret',
  summary: 'Sets a secret, or replaces its value and hosts. Runs use it from then on.',
  tag: 'secrets',
  access: ADMINS,
  query: ORGANISATION,
  body: { kind: 'json', schema: newSecret },
  answers: { 200: { description: 'The secret.', schema: secretView } },
  async handle({ tenant, params, query, body }) {
    return { status: 200, json: await (await tenant.secrets(query.organisation)).set(params.name, body) }
  },
})

export const removeSecret = route({
  method: 'DELETE',
  path: '/v1/secrets/{name}',
  name: 'removeSecret',
  summary: 'Removes a secret.',
  tag: 'secrets',
  access: ADMINS,
  query: ORGANISATION,
  answers: { 200: { description: 'How many were removed.', schema: removed } },
  async handle({ tenant, params, query }) {
    await (await tenant.secrets(query.organisation)).remove(params.name)
    return { status: 200, json: { removed: 1 } }
  },
})

/** The secrets of providers and tools. No answer contains a value. */
export const SECRET_ROUTES = [listSecrets, readSecret, setSecret, removeSecret]
