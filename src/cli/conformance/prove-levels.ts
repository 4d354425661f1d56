import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { openSecrets } from '../../compose/open-secrets.ts'
import { prepare } from '../../compose/prepare.ts'
import type { Encoding } from '../../document/document.ts'
import { encodeDocument } from '../../document/encode-document.ts'
import type { Json } from '../../document/json.ts'
import { MAX_BYTES, readDocument } from '../../document/read-document.ts'
import { readFileWithin } from '../../document/read-file.ts'
import { operatorSettingsOf } from '../../settings/operator-settings-of.ts'
import { type ConformanceLevel, conformanceLevels } from '../../spec/aaif/conformance-levels.ts'
import type { AgentDefinition } from '../../spec/aaif/generated/agent.ts'
import { validateAgentDefinition } from '../../spec/aaif/validate-agent-definition.ts'
import { CONFORMANCE_LEVELS } from '../../spec/aaif/vocabulary.ts'
import type { CorpusCase } from './run-corpus.ts'

/** The test result for one conformance level in one direction. It is a claim if all its tests passed. */
export interface Proof {
  readonly level: ConformanceLevel
  readonly direction: 'producer' | 'consumer'
  /** The test, and the number of documents. */
  readonly what: string
  readonly passed: number
  readonly total: number
}

const ENCODINGS: readonly Encoding[] = ['json', 'yaml', 'cbor', 'msgpack']

/**
 * Returns what a corpus proves about Waybill, for each conformance level (AAIF §6). As a consumer: at Core, invalid
 * definitions are refused and valid ones accepted; at Tooled, a model gets each tool with its own schema. The levels
 * above are about runs, which a corpus of documents cannot prove. As a producer: a definition of a level that Waybill
 * writes in any encoding is still valid and of that level.
 */
export async function proofsOf(cases: readonly CorpusCase[], cwd: string): Promise<readonly Proof[]> {
  const agents = cases.filter(({ kind }) => kind === 'aaif.agent')
  const valid = agents
    .filter(({ expected, passed }) => expected === 'valid' && passed)
    .flatMap(({ file }) => {
      const { document } = readDocument(readFileWithin(resolve(cwd, file), MAX_BYTES), { file })
      return document === undefined ? [] : [document.value]
    })
  const core: Proof = {
    level: 'Core',
    direction: 'consumer',
    what: 'valid definitions accepted, invalid ones refused',
    passed: agents.filter(({ passed }) => passed).length,
    total: agents.length,
  }
  return [core, await tooled(valid), ...CONFORMANCE_LEVELS.map((level) => produced(level, valid))].filter(
    ({ total }) => total > 0,
  )
}

async function tooled(valid: readonly Json[]): Promise<Proof> {
  const definitions = valid.filter((value) => meets(value, 'Tooled')) as unknown as readonly AgentDefinition[]
  const settings = operatorSettingsOf({ rehearse: true, allowDeprecated: true }, {}, {})
  let passed = 0
  for (const definition of definitions) {
    const { program } = await prepare(
      definition,
      { settings, env: {}, secrets: openSecrets({}) },
      { folder: undefined },
    )
    const shown = new Map(program.plan.tools.map((tool) => [tool.name, tool.parameters_schema]))
    const declared = definition.agent.tools ?? []
    if (
      declared.every(
        ({ name, parameters_schema }) =>
          parameters_schema === undefined || isDeepStrictEqual(shown.get(name), parameters_schema),
      )
    )
      passed++
  }
  const what = 'definitions planned, each tool with its own parameters_schema'
  return { level: 'Tooled', direction: 'consumer', what, passed, total: definitions.length }
}

function produced(level: ConformanceLevel, valid: readonly Json[]): Proof {
  const definitions = valid.filter((value) => meets(value, level))
  const written = definitions.flatMap((value) => ENCODINGS.map((encoding) => [value, encoding] as const))
  const passed = written.filter(([value, encoding]) => {
    const { document } = readDocument(encodeDocument(value, encoding), { encoding })
    return document !== undefined && isDeepStrictEqual(document.value, value) && meets(document.value, level)
  }).length
  const what = `${definitions.length} definitions of the level written in ${ENCODINGS.length} encodings and read again`
  return { level, direction: 'producer', what, passed, total: written.length }
}

function meets(definition: Json, level: ConformanceLevel): boolean {
  return conformanceLevels(definition, validateAgentDefinition(definition)).levels[level].met
}
