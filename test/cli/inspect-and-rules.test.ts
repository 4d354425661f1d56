import assert from 'node:assert/strict'
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { readDocument } from '../../src/document/read-document.ts'
import { validateConformanceReport } from '../../src/spec/aaif/validate-conformance-report.ts'
import { judgeFile } from '../../src/spec/judge-file.ts'
import { KINDS } from '../../src/spec/kinds.ts'
import { allRules, rulesOf } from '../../src/spec/rule-catalogue.ts'
import { Place, ROOT, waybill } from './fixture.ts'

const corpus = join(ROOT, 'test/conformance')

describe('waybill inspect', () => {
  test('every document of the corpus can be inspected, as JSON and as text', async (t) => {
    const place = new Place(t)
    for (const kind of KINDS) {
      const files = globSync(`${corpus}/${kind}/{valid,invalid}/*`).sort()
      assert.ok(files.length > 20)
      for (const file of files) {
        const read = judgeFile(readFileSync(file), { file }, kind)
        const { code, out } = await waybill(place, ['inspect', file, '--kind', kind, '--json'])
        if (read.document === undefined) {
          assert.equal(code, 2, file)
          assert.equal(typeof JSON.parse(out).error.code, 'string')
          continue
        }
        const facts = JSON.parse(out)
        const errors = read.issues.filter(({ severity }) => severity === 'error').length
        assert.deepEqual(
          [code, facts.kind, facts.valid, facts.issues.errors],
          [errors > 0 ? 1 : 0, kind, errors === 0, errors],
          file,
        )
        const { out: seen } = await waybill(place, ['inspect', file, '--kind', kind])
        assert.ok(seen.includes(kind) && seen.length > 40, file)
      }
    }
  })

  test('of a definition: levels with missing requirements, capabilities, names of secrets, endpoints and risks', async (t) => {
    const place = new Place(t, {
      sc_standard: 'SC-006',
      agent_id: '5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a10',
      agent: {
        name: 'Clerk',
        version: '1.2.0',
        goal: 'Send what is due.',
        required_capabilities: ['tool.http', 'acme.magic'],
        model: {
          provider: 'custom',
          provider_id: 'gateway',
          base_url: 'https://user:hunter2@llm.example/v1',
          preferred: 'm',
        },
        tools: [
          {
            name: 'find',
            description: 'F.',
            protocol: 'http',
            endpoint: 'http://crm.example/find',
            parameters_schema: {},
            auth: {
              type: 'mtls',
              env_var: 'CRM_TOKEN',
              vault_ref: { provider: 'hashicorp_vault', path: 'kv/crm', key: 'token' },
            },
          },
        ],
        orchestration: { subagents: [{ ref: 'urn:a', when: 'if it is urgent' }] },
      },
      'x-acme-desk': 7,
    })
    const facts = JSON.parse((await waybill(place, ['inspect', 'agent.json', '--json'])).out)
    assert.deepEqual(
      [facts.kind, facts.name, facts.version, facts.agent_id, facts.highest],
      ['aaif.agent', 'Clerk', '1.2.0', '5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a10', null],
    )
    assert.equal(facts.levels.Core.met, false, 'an address with a password is an error')
    assert.deepEqual(facts.capabilities, ['tool.http', 'acme.magic'])
    assert.deepEqual(facts.secrets, ['hashicorp_vault:kv/crm#token', 'CRM_TOKEN'])
    assert.deepEqual(facts.endpoints, [
      { pointer: '/agent/model/base_url', url: 'https://llm.example/v1' },
      { pointer: '/agent/tools/0/endpoint', url: 'http://crm.example/find' },
    ])
    assert.ok(!JSON.stringify(facts).includes('hunter2'))
    const risks = facts.risks.map(({ pointer }: { pointer: string }) => pointer)
    for (const pointer of [
      '/agent/model/provider',
      '/agent/model/base_url',
      '/agent/tools/0/endpoint',
      '/agent/tools/0/auth/type',
      '/agent/required_capabilities/1',
      '/agent/orchestration/subagents/0/when',
      '/x-acme-desk',
    ])
      assert.ok(risks.includes(pointer), pointer)
    assert.match((await waybill(place, ['inspect', 'agent.json'])).out, /Depends on the platform/)
  })

  test('the signature is reported: missing, by a trusted key, or by an unknown signer', async (t) => {
    const place = new Place(t)
    const status = async () =>
      JSON.parse((await waybill(place, ['inspect', 'agent.json', '--json'])).out).signature.status
    assert.equal(await status(), 'unsigned')
    await waybill(place, ['keys', 'new', 'desk'])
    await waybill(place, ['sign', 'agent.json', '--key', 'desk', '--in-place'])
    assert.equal(await status(), 'valid')
    place.env.WAYBILL_HOME = join(place.folder, 'another')
    assert.equal(await status(), 'unknown_signer')
  })

  test('a secret value given as a variable name is not repeated', async (t) => {
    const value = 'zebra quartz 71 lantern'
    const tool = { name: 'f', description: 'F.', auth: { type: 'bearer', env_var: value } }
    const place = new Place(t, { sc_standard: 'SC-006', agent: { name: 'C', goal: 'G.', tools: [tool] } })
    for (const form of [['--json'], []]) {
      const { out } = await waybill(place, ['inspect', 'agent.json', ...form])
      assert.ok(!out.includes('zebra'), out)
    }
  })

  test('unknown and unreadable documents are refused', async (t) => {
    const place = new Place(t)
    place.write('other.json', '{"name": "left-pad"}')
    place.write('broken.json', '{')
    assert.equal((await waybill(place, ['inspect', 'other.json'])).code, 1)
    assert.equal((await waybill(place, ['inspect', 'broken.json'])).code, 2)
    assert.equal((await waybill(place, ['inspect', 'gone.json'])).code, 2)
  })
})

describe('waybill rules', () => {
  const rules = async (t: Parameters<typeof waybill>[0], ...words: string[]) =>
    waybill(t, ['rules', ...words])

  test('lists and filters the rules of all kinds', async (t) => {
    const place = new Place(t)
    const all = JSON.parse((await rules(place, '--json')).out).rules
    assert.equal(all.length, allRules().length)
    for (const kind of KINDS) assert.ok(rulesOf(kind).length > 5, kind)
    const cards = JSON.parse(
      (await rules(place, '--kind', 'agentcard', '--severity', 'warning', '--json')).out,
    ).rules
    assert.ok(cards.length > 0 && cards.length < all.length)
    for (const { kind, severity } of cards) assert.deepEqual([kind, severity], ['agentcard', 'warning'])
    const found = JSON.parse((await rules(place, '--search', 'VAULT', '--json')).out).rules
    assert.ok(found.length > 0)
    for (const rule of found) assert.match(JSON.stringify(rule), /vault/i)
    assert.equal((await rules(place, '--search', 'no such word at all')).code, 1)
  })

  test('shows a rule with its sentence, its codes, and a valid and an invalid document', async (t) => {
    const place = new Place(t)
    const { out, code } = await rules(place, 'aaif-4-03')
    assert.equal(code, 0)
    for (const text of [
      'AAIF-4-03',
      'A definition has sc_standard',
      'REQUIRED_MISSING',
      'AAIF §4',
      '✓',
      '✗',
      'goal: File letters.',
    ])
      assert.ok(out.includes(text), text)
    const [entry] = JSON.parse((await rules(place, 'AAIF-4-03', '--json')).out).rules
    assert.deepEqual(Object.keys(entry).sort(), [
      'codes',
      'enforced',
      'id',
      'kind',
      'right',
      'sentence',
      'severity',
      'source',
      'wrong',
    ])
  })

  test('a code selects its rules, and a wrong id suggests a similar id', async (t) => {
    const place = new Place(t)
    const { rules: coded } = JSON.parse((await rules(place, 'DUPLICATE_TOOL', '--json')).out)
    assert.deepEqual(
      coded.map(({ id }: { id: string }) => id),
      ['SPEC-D-14'],
    )
    const { out, code } = await rules(place, 'AAIF-4-033', '--json')
    assert.equal(code, 1)
    assert.equal(JSON.parse(out).error.hint, 'did you mean AAIF-4-03?')
  })

  test('every rule that judges the corpus of any kind is in the catalogue, with its code', () => {
    for (const kind of KINDS) {
      const known = new Map(rulesOf(kind).map((rule) => [rule.id, rule]))
      for (const file of globSync(`${corpus}/${kind}/{valid,invalid}/*`)) {
        for (const { rule, code } of judgeFile(readFileSync(file), { file }, kind).issues) {
          assert.ok(known.get(rule ?? '')?.codes.includes(code), `${basename(file)}: ${rule} ${code}`)
        }
      }
    }
  })
})

describe('waybill conformance', () => {
  test('the corpus of Waybill passes: each invalid document violates the rule in its name', async (t) => {
    const place = new Place(t)
    const { out, code } = await waybill(place, ['conformance', 'test', corpus, '--json'])
    const { passed, total, failures } = JSON.parse(out)
    assert.deepEqual([code, failures], [0, []])
    assert.equal(passed, total)
    assert.equal(total, globSync(`${corpus}/*/{valid,invalid}/*`).length)
  })

  test('reports unexpected results: accepted, refused, and refused by another rule', async (t) => {
    const place = new Place(t)
    const put = (path: string, document: object) => {
      mkdirSync(dirname(join(place.folder, path)), { recursive: true })
      writeFileSync(join(place.folder, path), JSON.stringify(document))
    }
    const good = { sc_standard: 'SC-006', agent: { name: 'Clerk', goal: 'File letters.' } }
    put('c/valid/good.json', good)
    put('c/valid/bad.json', { ...good, agent: { name: 'Clerk' } })
    put('c/invalid/AAIF-4-03-no-goal.json', { ...good, agent: { name: 'Clerk' } })
    put('c/invalid/AAIF-4-04-no-goal.json', { ...good, agent: { name: 'Clerk' } })
    put('c/invalid/of-no-rule.json', { ...good, agent: { name: 'Clerk' } })
    put('c/invalid/good.json', good)
    put('c/invalid/not-ours.json', { name: 'left-pad' })
    put('c/elsewhere/ignored.json', good)
    const { out, code } = await waybill(place, ['conformance', 'test', 'c', '--json'])
    const { passed, total, failures } = JSON.parse(out)
    assert.deepEqual([code, passed, total], [1, 4, 7])
    assert.deepEqual(
      failures.map(({ file, expected, reason }: Record<string, string>) => [
        basename(file ?? ''),
        expected,
        reason?.split(' ')[0],
      ]),
      [
        ['AAIF-4-04-no-goal.json', 'invalid', 'refused,'],
        ['good.json', 'invalid', 'accepted'],
        ['bad.json', 'valid', 'refused:'],
      ],
    )
    assert.match((await waybill(place, ['conformance', 'test', 'c'])).err, /4 of 7 documents as expected/)
    assert.equal((await waybill(place, ['conformance', 'test', 'c/elsewhere'])).code, 2)
  })

  test('AAIF-6-13, SPEC-Y-03: the report of the corpus is valid, counts the tests, and claims only what passed', async (t) => {
    const place = new Place(t)
    const { out, code, err } = await waybill(place, ['conformance', 'report'])
    assert.equal(code, 0, err)
    const report = JSON.parse(out)
    assert.deepEqual(validateConformanceReport(report), [])
    const agents = globSync(`${corpus}/aaif.agent/{valid,invalid}/*`).length
    const core = report.claims.find(
      (claim: { level: string; direction: string }) =>
        claim.level === 'Core' && claim.direction === 'consumer',
    )
    assert.deepEqual([core.test_suite.passed, core.test_suite.total], [agents, agents])
    for (const { test_suite } of report.claims)
      assert.ok(test_suite.total > 0 && test_suite.passed === test_suite.total)
    const consumed = report.claims.flatMap((claim: { level: string; direction: string }) =>
      claim.direction === 'consumer' ? [claim.level] : [],
    )
    assert.deepEqual(consumed, ['Core', 'Tooled'], 'documents cannot prove duties of runs')
    for (const drop of [
      ['sc_standard'],
      ['report'],
      ['platform'],
      ['claims'],
      ['report', 'generated_at'],
      ['report', 'aaif_versions'],
      ['platform', 'name'],
      ['claims', 0, 'level'],
      ['claims', 0, 'direction'],
      ['claims', 0, 'test_suite'],
      ['claims', 0, 'test_suite', 'corpus'],
      ['claims', 0, 'test_suite', 'passed'],
      ['claims', 0, 'test_suite', 'total'],
    ]) {
      const copy = structuredClone(report)
      const owner = drop.slice(0, -1).reduce((value, step) => value[step], copy)
      delete owner[drop.at(-1) as string]
      assert.ok(
        validateConformanceReport(copy).some(({ severity }) => severity === 'error'),
        drop.join('.'),
      )
    }
    assert.ok(
      validateConformanceReport({ ...report, sc_version: '3.4.0' }).some(
        ({ severity }) => severity === 'error',
      ),
    )
    for (const direction of ['importer', 'Both', '']) {
      const copy = structuredClone(report)
      copy.claims[0].direction = direction
      assert.deepEqual(
        validateConformanceReport(copy).map(({ rule }) => rule),
        ['SPEC-Y-03'],
      )
    }
  })

  test('a failed corpus is not claimed, and a report can be written and signed', async (t) => {
    const place = new Place(t)
    cpSync(join(corpus, 'aaif.agent/valid'), join(place.folder, 'c/valid'), { recursive: true })
    assert.equal((await waybill(place, ['conformance', 'report', 'c', '-o', 'report.json'])).code, 0)
    await waybill(place, ['keys', 'new', 'desk'])
    await waybill(place, ['sign', 'report.json', '--key', 'desk', '--in-place'])
    assert.equal((await waybill(place, ['verify', 'report.json'])).code, 0)
    cpSync(join(corpus, 'aaif.agent/valid/minimal.json'), join(place.folder, 'c/invalid/minimal.json'))
    const { code, out } = await waybill(place, ['conformance', 'report', 'c'])
    assert.equal(code, 1)
    const claims = readDocument(out).document?.value as unknown as {
      claims: { level: string; direction: string }[]
    }
    assert.ok(!claims.claims.some(({ level, direction }) => level === 'Core' && direction === 'consumer'))
  })
})
