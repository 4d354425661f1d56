import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromMcpTool, fromOpenAiFunction, toMcpTools, toOpenAiFunctions } from 'waybill/spec'
import type { WaybillError } from '../../src/document/issue.ts'
import { capabilityIdOf, toolNameOf } from '../../src/spec/agentcard/tool-names.ts'

const summarise = {
  id: 'text.summarise',
  description: 'Shortens a text.',
  input_schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
}
const search = {
  id: 'tool.web_search',
  output_schema: { type: 'object', properties: { hits: { type: 'array' } } },
}

test('CARD-2.4-10: a capability is unchanged after conversion to an OpenAI function or an MCP tool and back', () => {
  const [first, second] = toOpenAiFunctions([summarise, { id: 'tool.web_search' }])
  assert.deepEqual(first, {
    id: 'text.summarise',
    definition: {
      type: 'function',
      function: {
        name: 'text__summarise',
        description: 'Shortens a text.',
        parameters: summarise.input_schema,
      },
    },
  })
  assert.deepEqual(first && fromOpenAiFunction(first.definition), summarise)
  assert.deepEqual(second && fromOpenAiFunction(second.definition), { id: 'tool.web_search' })

  const [tool, other] = toMcpTools([summarise, search])
  assert.deepEqual(tool?.definition, {
    name: 'text.summarise',
    description: 'Shortens a text.',
    inputSchema: summarise.input_schema,
  })
  assert.deepEqual(tool && fromMcpTool(tool.definition), summarise)
  assert.deepEqual(other && fromMcpTool(other.definition), { ...search, input_schema: { type: 'object' } })
})

test('every id has one OpenAI name, and the id can be computed from the name', () => {
  const names = new Map<string, string>()
  const letters = ['a', '.', '_', '-', '7']
  const visit = (id: string): void => {
    if (id !== '' && /^[a-z0-9]/.test(id)) {
      const name = toolNameOf(id, 'openai')
      assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/)
      assert.equal(names.get(name), undefined, `${id} and ${names.get(name)} are both ${name}`)
      names.set(name, id)
      assert.equal(capabilityIdOf(name, 'openai'), id)
    }
    if (id.length < 6) for (const letter of letters) visit(id + letter)
  }
  visit('')
  assert.ok(names.size > 7000)
})

test('the name of an id that is too long is shortened and unique, and needs the id for the way back', () => {
  for (const [target, limit] of [
    ['openai', 64],
    ['mcp', 128],
  ] as const) {
    const long = `tool.${'a'.repeat(200)}`
    const name = toolNameOf(long, target)
    assert.equal(name.length, limit)
    assert.match(name, /^[a-zA-Z0-9_.-]+$/)
    assert.notEqual(name, toolNameOf(`${long}b`, target))
    assert.equal(capabilityIdOf(name, target), undefined)
    assert.equal(toolNameOf(`a${'b'.repeat(limit - 1)}`, target).length, limit)
  }
  const [offered] = toOpenAiFunctions([{ id: `tool.${'a'.repeat(200)}` }])
  assert.ok(offered)
  assert.deepEqual(fromOpenAiFunction(offered.definition, offered.id), { id: offered.id })
  assert.equal(fromOpenAiFunction(offered.definition), undefined)
})

test('two capabilities with the same name are refused, with the place', () => {
  for (const convert of [toOpenAiFunctions, toMcpTools]) {
    assert.throws(
      () => convert([summarise, search, { id: 'text.summarise' }]),
      ({ code, details }: WaybillError) =>
        code === 'CAPABILITY_NAME_TAKEN' &&
        details.at === '/capabilities/2/id' &&
        details.rule === 'CARD-2.4-10',
    )
  }
})

test('names that were not made from an id have no id', () => {
  for (const name of ['getWeather', 'Text__x', '_x', '', 'a_Xb', 'a b']) {
    assert.equal(capabilityIdOf(name, 'openai'), undefined, name)
  }
  assert.equal(capabilityIdOf('get_weather', 'openai'), 'get_weather')
})
