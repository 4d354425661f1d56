import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type AgentDefinition, type Json, type RunResult, run } from 'waybill'
import { scriptedModel } from 'waybill/testing'

const SCHEMA = { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] }
const ANSWER = '{"place": "Oslo"}'

function agent(members: object): AgentDefinition {
  return {
    sc_standard: 'SC-006',
    agent_id: '5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a13',
    agent: {
      name: 'Clerk',
      goal: 'Answer.',
      model: { provider: 'openai', preferred: 'gpt-4o' },
      ...members,
    },
  } as unknown as AgentDefinition
}

/** Returns the output for these answers, and what the prompt said about their format. */
async function answered(
  members: object,
  ...answers: readonly string[]
): Promise<RunResult & { readonly instructions: string; readonly asked: number }> {
  const modelPort = scriptedModel(answers)
  const result = await run(agent(members), { modelPort, env: { OPENAI_API_KEY: 'x' }, input: 'Where?' })
  const prompt = modelPort.requests[0]?.plan.system_prompt ?? ''
  return {
    ...result,
    instructions: prompt.split('# Form of the answer')[1] ?? '',
    asked: modelPort.requests.length,
  }
}

const format = (name: string) => ({ io: { format: name } })
const response = (name: string) => ({
  model: { provider: 'openai', preferred: 'gpt-4o', response_format: name },
})

describe('the format of an answer (AAIF §4.2 response_format, §4.6 io.format)', () => {
  for (const members of [{}, format('text'), response('text')]) {
    test(`${JSON.stringify(members)}: the text unchanged, in any format`, async () => {
      for (const text of ['In Oslo.', ANSWER, '```json\n{}\n```', '  two\n lines ']) {
        const { status, output, instructions } = await answered(members, text)
        assert.deepEqual([status, output, instructions], ['completed', text, ''])
      }
    })
  }

  for (const members of [format('markdown'), response('markdown')]) {
    test(`${JSON.stringify(members)}: the model is asked for Markdown, and the text is not changed`, async () => {
      const { output, instructions } = await answered(members, '# Oslo\n\n```json\n{}\n```')
      assert.equal(output, '# Oslo\n\n```json\n{}\n```')
      assert.match(instructions, /Markdown/)
    })
  }

  for (const members of [format('json'), format('structured'), response('json'), response('json_schema')]) {
    describe(JSON.stringify(members), () => {
      test('the model is asked for JSON, and without a schema the output is that text', async () => {
        const { output, instructions } = await answered(members, ANSWER)
        assert.equal(output, ANSWER)
        assert.match(instructions, /one JSON value/)
      })

      test('a fence around it is removed, and an answer that is not JSON is requested again', async () => {
        const { status, output, asked } = await answered(members, 'In Oslo.', `\`\`\`json\n${ANSWER}\n\`\`\``)
        assert.deepEqual([status, output, asked], ['completed', ANSWER, 2])
      })

      test('a second answer that is not JSON is a failure, and never an output', async () => {
        const { status, error, output } = await answered(members, ...Array(6).fill('In Oslo.'))
        assert.deepEqual([status, error?.code], ['failed', 'OUTPUT_INVALID'])
        assert.equal(output, null)
      })
    })
  }

  for (const name of ['text', 'markdown', 'json', 'structured']) {
    test(`SPEC-D-30: with an output schema ${name} is a value that matches it`, async () => {
      const members = { io: { format: name, output_schema: SCHEMA } }
      const { output } = await answered(members, ANSWER)
      assert.deepEqual(output as Json, { place: 'Oslo' })
      const { output: mended, asked } = await answered(members, '{"place": 7}', ANSWER)
      assert.deepEqual([mended, asked], [{ place: 'Oslo' }, 2])
    })
  }
})
