import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { type AgentDefinition, openAgent, planRun, reviewPlan, run, startRun, WaybillError } from 'waybill'
import { scriptedModel } from 'waybill/testing'
import type { JsonObject } from '../../src/document/json.ts'
import { optionHint } from '../../src/library/option-hints.ts'
import { root } from '../house/docs-fences.ts'

/** A flag of a command, or a sentence that only a person at a terminal can follow. */
const FLAG = /(?:^|[\s`'"([])--[a-z]|command line|WAYBILL_HOME/

/**
 * Texts of the sources that the library never gives: of functions that it does not export, of other programs, or
 * descriptions of schemas.
 */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'src/adapters/functions/function-process.ts': 'a flag of Node',
  'src/adapters/tools/broken-line.ts': 'a flag of Node',
  'src/compose/organisation-functions.ts': 'the name of a module of the platform',
  'src/plan/plan-file.schema.ts': 'descriptions of a schema',
  'src/session/standing-decision.ts': 'a value of records',
  'src/session/check-rule.ts': 'rules that a person makes',
  'src/spec/aaif/conformance-levels.ts': 'a report',
  'src/spec/agentcard/explain-card-errors.ts': 'cards',
  'src/spec/agentcard/validate-agent-card.ts': 'cards',
  'src/state/assert-restorable.ts': 'states',
  'src/state/stream/write-handoff.ts': 'states',
  'src/trust/card-did.ts': 'keys and signatures',
  'src/trust/ed25519.ts': 'keys and signatures',
  'src/trust/seal-for.ts': 'keys and signatures',
  'src/trust/sign.ts': 'keys and signatures',
  'src/session/replay/replay-run.ts': 'replays are a command',
  'src/session/moves/run-sender.ts': 'moves of a home are commands',
  'src/trust/arrival-statement.ts': 'moves of a home are commands',
  'src/trust/receipts/verify-segment.ts': 'receipts are verified by a command',
}

/** The texts of a source, with X for each value, and quotes without escapes. */
function textsOf(file: string): readonly string[] {
  const source = readFileSync(join(root, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  const literals = source.matchAll(/'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g)
  return [...literals].map(([, plain, template]) =>
    (plain ?? template ?? '').replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, 'X').replaceAll('\\`', '`'),
  )
}

const sources = globSync('src/**/*.ts', { cwd: root })
  .filter(
    (file) =>
      !/^src\/(?:cli|server|platform|policy\/hints|document\/codes|library)\/|\/generated\//.test(file),
  )
  .filter((file) => file !== 'src/document/codes.ts')
  .sort()

describe('messages and hints of the library name its options, not those of commands', () => {
  test('each text of the sources that names a flag has words of the library', () => {
    const left = sources
      .filter((file) => !Object.hasOwn(ELSEWHERE, file))
      .flatMap((file) => textsOf(file).map((text) => [file, optionHint(text)] as const))
      .filter(([, text]) => FLAG.test(text))
      .map(([file, text]) => `${file}: ${text}`)
    assert.deepEqual(left, [], 'add the words to src/library/option-hints.ts')
  })

  test('the walk finds the texts with flags, and each exception has some', () => {
    const flags = (file: string) => textsOf(file).filter((text) => FLAG.test(text))
    assert.ok(sources.flatMap(flags).length > 40)
    const needless = Object.keys(ELSEWHERE).filter((file) => flags(file).length === 0)
    assert.deepEqual(needless, [])
  })
})

const WORDS: readonly (readonly [text: string, own: string])[] = [
  ['allow it with --allow-host h:1.', "allow it with allowHosts: ['h:1.']"],
  ['allow it on the command line: --allow-host h', "allow it: allowHosts: ['h']"],
  ['grant it in the config (secrets) or with --allow-secret KEY@h', "grant it with allowSecrets: ['KEY@h']"],
  ['raise --budget tokens=N, or budget.tokens in the configuration', 'raise budget: { tokens: N }'],
  ['did you mean --model openai/gpt-4o?', "did you mean model: 'openai/gpt-4o'?"],
  ['add --user ID', 'add the option user'],
  ['add --session ID', 'add the option session'],
  ['pass --allow-deprecated', 'pass allowDeprecated: true'],
  ['export it from the module given with --tools', 'pass it in the option tools'],
  ['export it in "hooks" of the module given with --tools', 'pass it in the option hooks'],
  [
    'the module exports bookIt, which no tool uses: did you mean book_it?',
    'the option tools has bookIt, which no tool uses: did you mean book_it?',
  ],
  [
    'map it to a file: --schema https://a.example/x.json=FILE, or "schemas" in the configuration; or',
    "map it to a file: schemas: { 'https://a.example/x.json': 'FILE' }; or",
  ],
  ['`waybill approvals list` shows the waiting calls', 'listApprovals() shows the waiting calls'],
  ['it takes effect with `waybill resume 0190`', 'it takes effect with resume()'],
  ['`waybill plan` shows every model', 'planRun() shows every model'],
  ['the file of `waybill plan --out`', 'the file of reviewPlan()'],
  ['`waybill validate agent.yaml` shows all problems', '`error.issues` lists all problems'],
  ['another home with WAYBILL_HOME', 'another home with the option home'],
  ['start it without --no-wait', 'start it without wait: false'],
  ['keep the plain words', 'keep the plain words'],
]

describe('the words of the library for those of commands', () => {
  for (const [text, own] of WORDS) test(text, () => assert.equal(optionHint(text), own))
})

const agent = (members: JsonObject = {}, more: JsonObject = {}): AgentDefinition =>
  ({
    sc_standard: 'SC-006',
    ...more,
    agent: { name: 'Clerk', goal: 'Help.', model: { provider: 'openai', preferred: 'gpt-4o' }, ...members },
  }) as unknown as AgentDefinition

const ENV = { OPENAI_API_KEY: 'not-used' }
const MCP = { name: 'look', description: 'Looks.', protocol: 'http', endpoint: 'http://10.0.0.1/x' }

/** Everything that a plan or a result says about itself, without what its author wrote. */
const PLANS: readonly (readonly [rule: string, definition: AgentDefinition, words: RegExp])[] = [
  ['a reason of a tool', agent({ tools: [MCP] }), /allowHosts: \['10\.0\.0\.1:80'\]/],
  [
    'a degradation',
    agent({ tools: [{ name: 'find', description: 'Finds.' }] }),
    /pass it in the option tools/,
  ],
  ['a hook', agent({ events: { on_start: 'log' } }), /pass it in the option hooks/],
  ['a refusal', agent({}, { status: 'deprecated' }), /pass allowDeprecated: true/],
  [
    'a memory',
    agent({ memory: [{ scope: 'user', content: 'x', key: 'k' }] }),
    /needs a user; add the option user/,
  ],
  [
    'a sub-agent',
    agent({ orchestration: { subagents: [{ ref: './child.json', alias: 'child' }] } }),
    /the options agents or folder/,
  ],
  ['a constraint', agent({ constraints: ['Be kind to every person.'] }), /no judge model is configured/],
]

describe('no flag is named', () => {
  for (const [rule, definition, words] of PLANS) {
    test(`${rule} of a plan, and of the result of its run`, async () => {
      const plan = await planRun(definition, { env: ENV })
      const { system_prompt: _text, ...own } = plan
      assert.match(JSON.stringify(own), words)
      assert.doesNotMatch(JSON.stringify(own), FLAG)
      const result = await run(definition, { env: ENV, modelPort: scriptedModel(['Hello.']) })
      assert.doesNotMatch(JSON.stringify([result.error, result.warnings]), FLAG)
    })
  }

  test('in an error that rejects a result', async () => {
    const busy = agent({ runtime: { concurrency: 1 } })
    let release = () => {}
    const held = new Promise<void>((done) => {
      release = done
    })
    await using open = await openAgent(busy, {
      env: ENV,
      modelPort: {
        ask: async () => {
          await held
          return {
            message: { role: 'assistant', text: 'Hello.', calls: [] },
            finish: 'stop',
            usage: USAGE,
            warnings: [],
          }
        },
      },
    })
    const first = await open.start('Hello.')
    try {
      await assert.rejects(open.run('Hello.', { wait: false }), {
        code: 'CONCURRENCY_EXCEEDED',
        hint: /start it without wait: false/,
      })
    } finally {
      release()
    }
    assert.equal((await first.result).status, 'completed')
  })

  test('in the causes of an error', async () => {
    const fallbacks = [{ provider: 'mistral', model: 'mistral-large-latest' }]
    const { error } = await run(agent({ model: { provider: 'openai', preferred: 'gpt-4o', fallbacks } }), {
      env: {},
      input: 'Hello.',
    })
    assert.equal(error?.details?.length, 2)
    assert.match(JSON.stringify(error?.details), /with the option env/)
    assert.doesNotMatch(JSON.stringify(error), FLAG)
  })

  test('in the findings about a definition', async () => {
    const condition = { lang: 'cel', expr: 'a ==' }
    const broken = agent({
      compliance: { human_in_the_loop: { enabled: true, trigger: condition } },
      orchestration: { pipeline: ['missing'] },
    })
    await assert.rejects(run(broken, { env: ENV }), (error) => {
      assert.ok(error instanceof WaybillError)
      assert.match(JSON.stringify(error.issues), /evaluateCondition of waybill\/condition/)
      assert.doesNotMatch(JSON.stringify([error, error.issues]), FLAG)
      return true
    })
  })

  test('in the error of a run for another user', async () => {
    const definition = agent({ memory: [{ scope: 'user', content: 'x', key: 'k' }] })
    const plan = await reviewPlan(definition, { env: ENV, user: 'ada' })
    await using open = await openAgent(definition, { env: ENV, user: 'ada', plan })
    await assert.rejects(open.run('Hello.', { user: 'bob' }), {
      code: 'PLAN_CHANGED',
      hint: /with reviewPlan\(\)$/,
    })
  })

  test('in the reason of a trigger', async () => {
    const plan = await planRun(agent({ events: { triggers: [{ type: 'manual' }] } }), { env: ENV })
    assert.deepEqual(
      plan.triggers?.map(({ reason }) => reason),
      ['it is started by a person: use run()'],
    )
  })

  test('in an error of a run that is not there', async () => {
    await using open = await openAgent(agent(), { env: ENV })
    await assert.rejects(open.resume('0190-none'), {
      code: 'RUN_NOT_FOUND',
      hint: 'listRuns() shows all runs',
    })
  })

  test('in the error of an option', async () => {
    await assert.rejects(startRun(agent(), { env: ENV, model: 'gpt-4o' }), (error: Error) => {
      assert.doesNotMatch(JSON.stringify(error), FLAG)
      return true
    })
  })
})

const USAGE = { input_tokens: 1, output_tokens: 1 }
