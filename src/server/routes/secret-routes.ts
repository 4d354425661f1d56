import { WaybillError } from '../../document/issue.ts'
import { ADMINS, type Call, param, READERS, type Route } from '../../http/route.ts'
import { PAGE, pageOf, removed } from '../../http/schema.ts'
import type { Tenant } from '../../platform/platform.ts'
import type { SetSecret } from '../../platform/secrets/tenant-secrets.ts'
import { ORGANISATION } from '../schemas/people-schemas.ts'
import { newSecret, SECRET_NAME, secretView } from '../schemas/secret-schemas.ts'

const secrets = ({ tenant, query }: Pick<Call<Tenant>, 'tenant' | 'query'>) => {
  const { organisation = tenant.principal.organisation } = query as { readonly organisation?: string }
  return tenant.secrets(organisation)
}

/** The routes of the secrets of providers and tools. No answer contains a value. */
export const SECRET_ROUTES: readonly Route<Tenant>[] = [
  {
    method: 'GET',
    path: '/v1/secrets',
    name: 'listSecrets',
    summary: 'Lists the secrets of the organisation, without their values.',
    tag: 'secrets',
    access: READERS,
    query: { ...PAGE, ...ORGANISATION },
    failures: [404],
    answers: { 200: { description: 'A page of secrets.', schema: pageOf(secretView) } },
    async handle(call) {
      const { organisation: _, ...page } = call.query
      return { status: 200, json: await (await secrets(call)).list(page) }
    },
  },
  {
    method: 'GET',
    path: '/v1/secrets/{name}',
    name: 'readSecret',
    summary: 'Returns what is known of a secret, without its value.',
    tag: 'secrets',
    access: READERS,
    query: ORGANISATION,
    answers: { 200: { description: 'The secret.', schema: secretView } },
    handle: async (call) => ({
      status: 200,
      json: await (await secrets(call)).read(param(call, 'name')),
    }),
  },
  {
    method: 'PUT',
    path: '/v1/secrets/{name}',
    name: 'setSecret',
    summary: 'Sets a secret, or replaces its value and hosts. Runs use it from then on.',
    tag: 'secrets',
    access: ADMINS,
    query: ORGANISATION,
    body: { kind: 'json', schema: newSecret },
    answers: { 200: { description: 'The secret.', schema: secretView } },
    async handle(call) {
      const name = param(call, 'name')
      if (!new RegExp(SECRET_NAME).test(name)) throw wrongName()
      const secret = call.body as unknown as Omit<SetSecret, 'name'>
      return { status: 200, json: await (await secrets(call)).set({ name, ...secret }) }
    },
  },
  {
    method: 'DELETE',
    path: '/v1/secrets/{name}',
    name: 'removeSecret',
    summary: 'Removes a secret.',
    tag: 'secrets',
    access: ADMINS,
    query: ORGANISATION,
    answers: { 200: { description: 'How many were removed.', schema: removed } },
    async handle(call) {
      await (await secrets(call)).remove(param(call, 'name'))
      return { status: 200, json: { removed: 1 } }
    },
  },
]

/** The message does not repeat the name, which may be the value by mistake. */
function wrongName(): WaybillError {
  return new WaybillError('REQUEST_INVALID', {
    message: 'the name of a secret has letters, digits and `_`, at most 128, and does not begin with a digit',
    hint: 'use the name that definitions refer to, such as CRM_KEY',
  })
}
