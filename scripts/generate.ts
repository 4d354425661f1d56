/**
 * Generates from each schema in `src/spec` the published JSON Schema, the validator and the TypeScript types; and from
 * the catalogues of rules and codes their pages, and the table of commands in the README. `node scripts/generate.ts`
 * writes the files, and then the conformance report (`own-report.ts`); tests compare them with `generateAll()` and
 * `ownReportFile()`.
 */
import { execFileSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import standalone from 'ajv/dist/standalone/index.js'
import { compile, type JSONSchema } from 'json-schema-to-typescript'
import { COMMANDS } from '../src/cli/commands.ts'
import type { Json, JsonObject } from '../src/document/json.ts'
import { planFileSchema } from '../src/plan/plan-file.schema.ts'
import { artifactEnvelopeSchema } from '../src/spec/aah/artifact-envelope.schema.ts'
import { agentSchema } from '../src/spec/aaif/agent.schema.ts'
import { conformanceReportSchema } from '../src/spec/aaif/conformance-report.schema.ts'
import { handoffMessageSchema } from '../src/spec/aaif/handoff-message.schema.ts'
import { manifestSchema } from '../src/spec/aaif/manifest.schema.ts'
import { EXTENSION_POINTS, REGISTRY_INFO } from '../src/spec/aaif/registries/extension-points.ts'
import { registryOf } from '../src/spec/aaif/registries/registry-of.ts'
import { registrySchema } from '../src/spec/aaif/registry.schema.ts'
import { stateSchema } from '../src/spec/aaif/state.schema.ts'
import { agentCardSchema } from '../src/spec/agentcard/agent-card.schema.ts'
import { resultSchema } from '../src/spec/iap/result.schema.ts'
import { taskSchema } from '../src/spec/iap/task.schema.ts'
import type { Schema } from '../src/spec/schema-builder.ts'
import { waybillMemberSchema } from '../src/state/waybill-member.schema.ts'
import { codesPage } from './codes-doc.ts'
import { withCommands } from './commands-doc.ts'
import { layersConfig, withLayers } from './layers.ts'
import { rulesPage } from './rules-doc.ts'

interface Source {
  readonly schema: Schema
  /** Name of the validated type. */
  readonly type: string
  /** Path of the schema's module, for the header of the generated files. */
  readonly from: string
  readonly published: string
  /** Path of the generated modules, without `.validate.js` and `.ts`. */
  readonly generated: string
  /** The path from the generated modules to the JSON types. */
  readonly jsonTypes: string
  /** The member that selects the branch of a root `oneOf`: only errors of that branch are reported. */
  readonly discriminator?: string
  /** The types are written by hand, because they are those of the run core. */
  readonly typed?: false
}

const SOURCES: readonly Source[] = [
  {
    schema: agentSchema,
    type: 'AgentDefinition',
    from: 'src/spec/aaif/agent.schema.ts',
    published: 'schemas/aaif/agent.schema.json',
    generated: 'src/spec/aaif/generated/agent',
    jsonTypes: '../../../document/json.ts',
  },
  {
    schema: agentCardSchema,
    type: 'AgentCard',
    from: 'src/spec/agentcard/agent-card.schema.ts',
    published: 'schemas/agentcard/agent-card.schema.json',
    generated: 'src/spec/agentcard/generated/agent-card',
    jsonTypes: '../../../document/json.ts',
  },
  aaif(stateSchema, 'AgentState', 'state'),
  aaif(manifestSchema, 'PlatformManifest', 'manifest'),
  aaif(conformanceReportSchema, 'ConformanceReport', 'conformance-report'),
  aaif(registrySchema, 'Registry', 'registry'),
  { ...aaif(handoffMessageSchema, 'HandoffMessage', 'handoff-message'), discriminator: 'type' },
  {
    schema: artifactEnvelopeSchema,
    type: 'ArtifactEnvelope',
    from: 'src/spec/aah/artifact-envelope.schema.ts',
    published: 'schemas/aah/artifact-envelope.schema.json',
    generated: 'src/spec/aah/generated/artifact-envelope',
    jsonTypes: '../../../document/json.ts',
  },
  {
    schema: taskSchema,
    type: 'Task',
    from: 'src/spec/iap/task.schema.ts',
    published: 'schemas/iap/task.schema.json',
    generated: 'src/spec/iap/generated/task',
    jsonTypes: '../../../document/json.ts',
  },
  {
    schema: resultSchema,
    type: 'TaskResult',
    from: 'src/spec/iap/result.schema.ts',
    published: 'schemas/iap/result.schema.json',
    generated: 'src/spec/iap/generated/result',
    jsonTypes: '../../../document/json.ts',
  },
  {
    schema: waybillMemberSchema,
    type: 'WaybillMember',
    from: 'src/state/waybill-member.schema.ts',
    published: 'schemas/waybill/state-member.schema.json',
    generated: 'src/state/generated/waybill-member',
    jsonTypes: '../../document/json.ts',
    typed: false,
  },
]

function aaif(schema: Schema, type: string, name: string): Source {
  return {
    schema,
    type,
    from: `src/spec/aaif/${name}.schema.ts`,
    published: `schemas/aaif/${name}.schema.json`,
    generated: `src/spec/aaif/generated/${name}`,
    jsonTypes: '../../../document/json.ts',
  }
}

const root = join(import.meta.dirname, '..')

/** Returns every generated file with its content; paths are relative to the repository. */
export async function generateAll(): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>()
  for (const source of SOURCES) {
    files.set(source.published, `${JSON.stringify(source.schema, null, 2)}\n`)
    files.set(`${source.generated}.validate.js`, validatorOf(source))
    files.set(`${source.generated}.validate.d.ts`, validatorTypes(source))
    if (source.typed !== false) files.set(`${source.generated}.ts`, await typesOf(source))
  }
  for (const point of EXTENSION_POINTS) {
    const path = `schemas/aaif/registries/${REGISTRY_INFO[point].file}`
    files.set(path, `${JSON.stringify(registryOf(point), null, 2)}\n`)
  }
  files.set('schemas/waybill/plan.schema.json', `${JSON.stringify(planFileSchema, null, 2)}\n`)
  files.set('docs/rules.md', rulesPage())
  files.set('docs/codes.md', codesPage())
  files.set('scripts/biome/layers.json', layersConfig(root))
  files.set(
    'docs/architecture.md',
    withLayers(root, await readFile(join(root, 'docs/architecture.md'), 'utf8')),
  )
  files.set('README.md', withCommands(await readFile(join(root, 'README.md'), 'utf8'), COMMANDS))
  return files
}

const header = (source: Source) => `// Generated from ${source.from} by \`npm run generate\`. Do not edit.\n`

/** The runtime functions of Ajv, included because the module must not import other modules. */
const RUNTIME: Readonly<Record<string, string>> = {
  'require("ajv/dist/runtime/ucs2length").default': '(text) => [...text].length',
}

function validatorOf(source: Source): string {
  const ajv = new Ajv2020({
    code: { source: true, esm: true, lines: true },
    allErrors: true,
    ownProperties: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    validateFormats: false,
    discriminator: source.discriminator !== undefined,
  })
  const schema = {
    ...(bare(source.schema) as JsonObject),
    ...(source.discriminator !== undefined && { discriminator: { propertyName: source.discriminator } }),
  }
  let code = standalone.default(ajv, ajv.compile(schema))
  for (const [call, replacement] of Object.entries(RUNTIME)) code = code.replaceAll(call, replacement)
  if (/\brequire\(/.test(code)) throw new Error(`${source.from}: the validator still needs require()`)
  return header(source) + code
}

function validatorTypes(source: Source): string {
  return `${header(source)}import type { ErrorObject } from 'ajv'

/** Returns whether the value satisfies the schema; \`errors\` are those of the last call. */
export declare const validate: {
  (value: unknown): boolean
  errors?: ErrorObject[] | null
}
export default validate
`
}

/** Removes texts for people: Ajv embeds whole schemas in its code. */
function bare(schema: Json): Json {
  return mapSchema(schema, ({ description: _d, title: _t, default: _v, format: _f, ...rest }) => rest)
}

async function typesOf(source: Source): Promise<string> {
  const code = await compile(forTypes(source.schema) as JSONSchema, source.type, {
    bannerComment: '',
    ignoreMinAndMaxItems: true,
    unreachableDefinitions: true,
    style: { singleQuote: true, semi: false, printWidth: 110, tabWidth: 2 },
  })
  return `${header(source)}import type { Json, JsonObject } from '${source.jsonTypes}'\n\n${polish(code, source)}`
}

/** Adds readonly, one-line comments, and the extension members that the generator cannot express. */
function polish(code: string, source: Source): string {
  const polished = code
    .replaceAll(/ \*\n \* This interface was referenced by [^\n]*\n \* via the `definition` [^\n]*\n/g, '')
    .replaceAll(
      /\/\*\*\n \* This interface was referenced by [^\n]*\n \* via the `definition` [^\n]*\n \*\/\n/g,
      '',
    )
    .replaceAll(/\n +\*\n +\* @(?:min|max)Items \d+(?=\n)/g, '')
    .replaceAll(/\/\*\*\n +\* ([^\n]*)\n +\*\//g, '/** $1 */')
    .replaceAll(
      /^( +)\[k: string\]: unknown$/gm,
      '$1/** Other members are allowed; readers ignore them. */\n$1readonly [member: string]: unknown',
    )
    .replaceAll(/^( +)((?:"[^"]+"|'[^']+'|\w+)\??:(?: |$))/gm, '$1readonly $2')
    .replaceAll(/: (\(?[\w ]+\)?)\[\]/g, ': readonly $1[]')
    .replaceAll(/^}\n(?=\S)/gm, '}\n\n')
  if (source.schema.patternProperties === undefined) return polished
  const opening = `export interface ${source.type} {\n`
  const extensions = `  /** Extension of a vendor; never alters behaviour. */\n  readonly [extension: \`x-\${string}\`]: Json\n`
  return polished.replace(opening, opening + extensions)
}

/** Adapts the schema for the type generator: no conditionals, a union for Condition, JSON types for open parts. */
function forTypes(schema: Schema): Json {
  return mapSchema(schema, (node) => {
    const { if: _if, then: _then, allOf: _allOf, not: _not, patternProperties, $id: _id, ...rest } = node
    if ('oneOf' in node) return branches(rest)
    if (Array.isArray(node.type) && 'properties' in node) return unionOf(rest)
    if (Array.isArray(node.type)) return { ...rest, tsType: node.type.map(typeName).join(' | ') }
    if (node.type === 'object' && !('properties' in node)) return { ...rest, tsType: 'JsonObject' }
    if (isOpen(node)) return { ...rest, tsType: 'Json' }
    if (patternProperties !== undefined) return { ...rest, additionalProperties: false }
    return rest
  })
}

function unionOf(node: JsonObject): JsonObject {
  const { description, type: _type, ...structured } = node
  return {
    ...(description !== undefined && { description }),
    anyOf: [{ type: 'string' }, { ...structured, type: 'object', title: 'StructuredCondition' }],
  }
}

/** Returns true for a choice among types without other keywords. */
function branches({ type: _type, required: _required, ...choice }: JsonObject): JsonObject {
  return choice
}

const typeName = (type: Json) => (type === 'object' ? 'JsonObject' : String(type))

/** Returns true for a subschema with only a description. */
function isOpen(node: JsonObject): boolean {
  return Object.keys(node).every((key) => key === 'description')
}

/** Rewrites every subschema, inner ones first; maps of subschemas stay maps. */
function mapSchema(schema: Json, rewrite: (node: JsonObject) => JsonObject): Json {
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) return schema
  const node: Record<string, Json> = {}
  for (const [key, value] of Object.entries(schema as JsonObject)) {
    if (key === 'properties' || key === '$defs' || key === 'patternProperties') {
      const entries = Object.entries(value as JsonObject)
      node[key] = Object.fromEntries(entries.map(([name, inner]) => [name, mapSchema(inner, rewrite)]))
    } else if (key === 'items' || key === 'if' || key === 'then') {
      node[key] = mapSchema(value, rewrite)
    } else {
      node[key] = value
    }
  }
  return rewrite(node)
}

if (import.meta.main) {
  for (const [path, content] of await generateAll()) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), content)
  }
  // In a process of its own, which loads the validators that were just written.
  execFileSync(process.execPath, [join(import.meta.dirname, 'own-report.ts')], { stdio: 'inherit' })
}
