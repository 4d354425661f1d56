import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readApiDocument } from '../../../src/adapters/openapi/api-document.ts'
import { operationsOf } from '../../../src/adapters/openapi/operations.ts'
import { rankOperations } from '../../../src/adapters/openapi/rank-operations.ts'
import type { JsonObject } from '../../../src/document/json.ts'
import { clusterApi, codeHostApi, paymentApi, trackerApi } from './imitations.ts'

const RANK = 5

/** Sentences as a person would write them, and the operation that they mean. */
const SENTENCES: readonly (readonly [api: string, JsonObject, readonly (readonly [string, RegExp])[]])[] = [
  [
    'a payment API',
    paymentApi(),
    [
      ['create a customer', /^PostCustomers$/],
      ['list all customers', /^GetCustomers$/],
      ['delete a product', /^DeleteProductsProduct$/],
      ['change the email of a customer', /^PostCustomersCustomer$/],
      ['refund a charge', /^PostChargesChargeRefund$|^PostRefunds$/],
      ['cancel a subscription', /^DeleteSubscriptionsSubscription$/],
      ['get the account balance', /^GetBalance$/],
      ['list the invoices', /^GetInvoices$/],
      ['pay an invoice', /^PostInvoicesInvoicePay$/],
      ['send an invoice to the customer', /^PostInvoicesInvoiceSend$/],
      ['add a webhook endpoint', /^PostWebhookEndpoints$/],
    ],
  ],
  [
    'a cluster API',
    clusterApi(),
    [
      ['list pods in a namespace', /^listCoreV1NamespacedPod$/],
      ['create a deployment', /^createAppsV1NamespacedDeployment$/],
      ['delete a pod', /^deleteCoreV1NamespacedPod$/],
      ['read the logs of a pod', /^readCoreV1NamespacedPodLog$/],
      ['scale a deployment', /^(?:patch|replace)AppsV1NamespacedDeploymentScale$/],
      ['list nodes', /^listCoreV1Node$/],
      ['create a namespace', /^createCoreV1Namespace$/],
      ['get a config map', /^readCoreV1NamespacedConfigMap$/],
      ['list services in all namespaces', /^listCoreV1ServiceForAllNamespaces$/],
      ['update a service', /^(?:patch|replace)CoreV1NamespacedService$/],
      ['create a cron job', /^createBatchV1NamespacedCronJob$/],
    ],
  ],
  [
    'a code host API',
    codeHostApi(),
    [
      ['list pull requests of a repository', /^pulls_list-pull-requests$/],
      ['close issue', /^issues_update-issue$/],
      ['open a new issue', /^issues_create-issue$/],
      ['merge a pull request', /^pulls_merge$/],
      ['add a comment to an issue', /^issues_create-issue-comment$/],
      ['get a repository', /^repos_get$/],
      ['create a release', /^repos_create-release$/],
      ['which commits does a pull request contain', /^pulls_list-commits$/],
      ['search code', /^search_code$/],
      ['fork a repository', /^repos_create-fork$/],
      ['list members of an organization', /^orgs_list-members$/],
    ],
  ],
  [
    'an issue tracker API',
    trackerApi(),
    [
      ['move issue to another status', /^doTransition$/],
      ['create an issue', /^createIssue$/],
      ['add a comment to an issue', /^addComment$/],
      ['search issues with JQL', /^searchForIssuesUsingJql(?:Post)?$/],
      ['assign an issue to a user', /^assignIssue$/],
      ['delete an issue', /^deleteIssue$/],
      ['list projects', /^(?:searchProjects|getAllProjects)$/],
      ['attach a file to an issue', /^addAttachment$/],
      ['edit the issue', /^editIssue$/],
      ['list users of a group', /^getUsersFromGroup$/],
      ['create a version', /^createVersion$/],
    ],
  ],
]

describe('the search over operations', () => {
  for (const [api, document, sentences] of SENTENCES) {
    const read = readApiDocument(JSON.stringify(document))
    assert.ok(read.ok)
    const operations = operationsOf(read.document)
    test(`${api} of ${operations.length} operations: at least 9 of 10 sentences find theirs among ${RANK}`, () => {
      assert.ok(operations.length > 150, `${operations.length}`)
      const missed = sentences.filter(([sentence, wanted]) => {
        const best = rankOperations(read.document, operations, sentence).slice(0, RANK)
        return !best.some(({ operation }) => wanted.test(operation.name))
      })
      for (const [, wanted] of sentences)
        assert.ok(
          operations.some(({ name }) => wanted.test(name)),
          String(wanted),
        )
      assert.ok(missed.length * 10 <= sentences.length, missed.map(([sentence]) => sentence).join('; '))
    })
  }

  const find = (paths: JsonObject, query: string): readonly string[] => {
    const read = readApiDocument(JSON.stringify({ openapi: '3.1.0', paths }))
    assert.ok(read.ok)
    return rankOperations(read.document, operationsOf(read.document), query).map(
      ({ operation }) => operation.name,
    )
  }
  const things: JsonObject = {
    '/things': { get: { operationId: 'a1' }, post: { operationId: 'a2' } },
    '/things/{id}': {
      get: { operationId: 'a3' },
      patch: { operationId: 'a4' },
      delete: { operationId: 'a5' },
    },
    '/other': { get: { operationId: 'b1' } },
  }

  test('a verb means a method and a place, also where no name contains it', () => {
    for (const [query, first] of [
      ['list things', 'a1'],
      ['show me all the things', 'a1'],
      ['create a thing', 'a2'],
      ['add thing', 'a2'],
      ['get a thing', 'a3'],
      ['change a thing', 'a4'],
      ['remove the thing', 'a5'],
    ] as const)
      assert.equal(find(things, query)[0], first, query)
  })

  test('words without meaning do not count', () => {
    assert.deepEqual(find(things, 'the of a to in'), [])
    assert.deepEqual(find(things, 'please, I want to list all of the things'), find(things, 'list things'))
    const paths = { '/in': { get: { operationId: 'inOfTheA' } }, '/thing': { get: { operationId: 'thing' } } }
    assert.equal(find(paths, 'a thing in the list')[0], 'thing')
  })

  test('a name with words that the sentence does not contain comes later, and so does a deprecated operation', () => {
    const paths = {
      '/pets/{id}/owner/address/verify': { post: { operationId: 'createPetsOwnerAddressVerification' } },
      '/pets': { post: { operationId: 'createPets' } },
    }
    assert.deepEqual(find(paths, 'create a pet'), ['createPets', 'createPetsOwnerAddressVerification'])
    for (const old of [{ deprecated: true }, { description: 'Deprecated: use another.' }]) {
      const twins = {
        '/pet': { get: { operationId: 'getPet', ...old } },
        '/pets': { get: { operationId: 'listPet' } },
      }
      assert.equal(find(twins, 'list pets')[0], 'listPet')
      assert.equal(find(twins, 'get pet')[0], 'listPet')
    }
  })

  test('values of the arguments are found, and an exact name is first', () => {
    const schema = { type: 'object', properties: { state: { type: 'string', enum: ['open', 'closed'] } } }
    const paths = {
      ...things,
      '/x/{id}': {
        patch: { operationId: 'x', requestBody: { content: { 'application/json': { schema } } } },
      },
    }
    assert.equal(find(paths, 'closed')[0], 'x')
    assert.equal(find(paths, 'b1')[0], 'b1')
  })
})
