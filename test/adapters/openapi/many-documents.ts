import type { Json, JsonObject } from '../../../src/document/json.ts'

/** What published documents have in common: how they are written, and which mistakes they contain. */
export interface Imitation {
  readonly name: string
  readonly text: string
  /** Operations as they are written, by a count that does not read the document. */
  readonly operations: number
  /** Of these, operations that can never be called. */
  readonly never: number
}

/** A small generator of numbers, so that each document is the same in every run. */
class Dice {
  #state: number
  constructor(seed: number) {
    this.#state = seed * 2654435761 + 1
  }
  below(limit: number): number {
    this.#state = (Math.imul(this.#state ^ (this.#state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    return (this.#state >>> 0) % limit
  }
  one<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }
  chance(percent: number): boolean {
    return this.below(100) < percent
  }
}

const NOUNS =
  `account address album asset badge batch book build bundle card cart channel city claim client code comment
  contract coupon course crate device domain driver event export field file filter fleet flow folder form game goal group
  hook image import index invite issue item job key label lead lesson level line link list loan lock log map meter mode
  note offer order page parcel part path plan player poll pool post price print query quote rate report rule sample seat
  shift site slot song space stage stock store story table tag task team theme ticket token topic tour track trip unit
  user vault video visit vote wallet week zone`.split(/\s+/)

const plural = (noun: string) =>
  /(?:s|x|ch)$/.test(noun) ? `${noun}es` : noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`
const capital = (word: string) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`

/** Parts of a schema that published documents contain, and that no reader can use. */
const ODD_SCHEMAS: readonly Json[] = [
  { type: 'string', required: true },
  { type: 'date' },
  { type: 'file' },
  { type: 'String' },
  { type: null },
  { enum: null },
  { minLength: '3' },
  { maxLength: 10.5 },
  { pattern: null },
  { $ref: '#/components/schemas/Missing' },
  { $ref: './common.yaml#/Money' },
  { allOf: [] },
  { items: null, type: 'array' },
  { properties: [] },
  null,
  { multipleOf: 0 },
  { type: 'string', enum: [] },
]

const NAMINGS: readonly ((method: string, noun: string, isItem: boolean) => string | undefined)[] = [
  (method, noun, isItem) =>
    `${method === 'get' ? (isItem ? 'get' : 'list') : method}${capital(isItem ? noun : plural(noun))}`,
  (method, noun, isItem) => `${noun}s.${isItem ? 'item.' : ''}${method}`,
  (method, noun, isItem) => `${capital(noun)}_${capital(method)}${isItem ? 'ById' : ''}`,
  (method, noun, isItem) => `${plural(noun)}/${method}${isItem ? '-one' : ''}`,
  () => undefined,
]

/** Returns one document. Its size, version, style and mistakes depend on its number. */
export function imitation(number: number): Imitation {
  const dice = new Dice(number + 1)
  const version = dice.one(['3.0.0', '3.0.1', '3.0.3', '3.1.0', '3.1.1', '3.2.0'])
  const isOld = version.startsWith('3.0')
  const isOdd = dice.chance(60)
  const naming = dice.one(NAMINGS)
  const prefix = dice.one(['', '/api', '/v1', '/rest/v2', '/api/{version}'])
  const resources = dice.one([1, 2, 2, 3, 4, 5, 6, 8, 12, number % 10 === 0 ? 60 : 12])
  const verbose = dice.one([0, 1, 1, 20])
  const count = { operations: 0, never: 0 }
  const paths: Record<string, JsonObject> = {}
  const schemas: Record<string, Json> = {}
  const text = 'The description of this part, as the people who made the API would write it. '.repeat(verbose)
  const nullable = (schema: JsonObject): JsonObject =>
    isOld ? { ...schema, nullable: true } : { ...schema, type: [schema.type as string, 'null'] }
  const versionParameter = {
    name: 'version',
    in: 'path',
    required: true,
    schema: { type: 'string', default: 'v1' },
  }

  for (let n = 0; n < resources; n++) {
    const noun = `${NOUNS[(number * 7 + n) % NOUNS.length]}${n >= NOUNS.length ? n : ''}`
    const schema = capital(noun)
    schemas[schema] = {
      type: 'object',
      ...(text !== '' && { description: text }),
      required: ['name'],
      properties: {
        id: { type: 'string', readOnly: true },
        name: { type: 'string', maxLength: 100, ...(text !== '' && { description: text }) },
        note: nullable({ type: 'string' }),
        price: isOld
          ? { type: 'number', minimum: 0, exclusiveMinimum: true }
          : { type: 'number', exclusiveMinimum: 0 },
        parent: { $ref: `#/components/schemas/${schema}` },
        tags: { type: 'array', items: { type: 'string' } },
        ...(isOdd && dice.chance(50) && { odd: dice.one(ODD_SCHEMAS) }),
      },
    }
    const shared = prefix.includes('{') ? [versionParameter] : []
    const operation = (method: string, isItem: boolean, more: JsonObject = {}): JsonObject => {
      count.operations += 1
      const id = naming(method, noun, isItem)
      return {
        ...(id !== undefined && { operationId: id }),
        summary: `${capital(method)} ${isItem ? `a ${noun}` : plural(noun)}`,
        ...(text !== '' && { description: text }),
        tags: [schema],
        responses: { 200: { description: 'OK' } },
        ...more,
      }
    }
    const body = (type: string, given: Json = { $ref: `#/components/schemas/${schema}` }): JsonObject => ({
      requestBody: { required: true, content: { [type]: { schema: given } } },
    })
    const paging = [
      { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } },
      { name: 'filter', in: 'query', style: 'deepObject', explode: true, schema: { type: 'object' } },
      { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
    ]
    const list = `${prefix}/${plural(noun)}`
    const write = dice.one([
      'application/json',
      'application/x-www-form-urlencoded',
      'application/vnd.api+json',
      '*/*',
    ])
    paths[list] = {
      ...(shared.length > 0 && { parameters: shared }),
      get: operation('get', false, { parameters: paging }),
      post: operation('post', false, body(write)),
    }
    paths[`${list}/{${noun}Id}`] = {
      parameters: [...shared, { name: `${noun}Id`, in: 'path', required: true, schema: { type: 'string' } }],
      get: operation('get', true),
      patch: operation(
        'patch',
        true,
        body(dice.one(['application/merge-patch+json', 'application/json-patch+json', write]), {
          type: 'object',
        }),
      ),
      delete: operation('delete', true),
    }
    if (dice.chance(25))
      paths[`${list}/{${noun}Id}/image`] = {
        parameters: [
          ...shared,
          { name: `${noun}Id`, in: 'path', required: true, schema: { type: 'string' } },
        ],
        put: operation(
          'put',
          true,
          dice.chance(50)
            ? body('multipart/form-data', {
                type: 'object',
                properties: { file: { type: 'string', format: 'binary' } },
              })
            : body('image/png', { type: 'string', format: 'binary' }),
        ),
      }
    if (!isOdd) continue
    if (dice.chance(15)) {
      paths[`${list}/search`] = {
        ...(shared.length > 0 && { parameters: shared }),
        get: operation('get', false, body('application/json')),
      }
      count.never += 1
    }
    if (dice.chance(15)) {
      paths[`${list}/{undefined}/history`] = {
        ...(shared.length > 0 && { parameters: shared }),
        get: operation('get', false),
      }
      count.never += 1
    }
    if (dice.chance(10))
      paths[`${list}/broken`] = { get: null as unknown as JsonObject, $ref: '#/components/pathItems/Missing' }
    if (dice.chance(20))
      paths[`${list}/odd`] = {
        ...(shared.length > 0 && { parameters: shared }),
        post: operation('post', false, {
          parameters: [
            null,
            { $ref: '#/components/parameters/Missing' },
            { name: 'odd', in: 'query', schema: dice.one(ODD_SCHEMAS) },
          ],
          requestBody: dice.one<Json>([
            { content: {} },
            { $ref: '#/components/requestBodies/Missing' },
            { content: { 'application/json': null } },
          ]),
        }),
      }
  }
  const server = dice.one<JsonObject>([
    { url: 'https://api.example.com' },
    { url: 'https://{region}.example.com/base/', variables: { region: { default: 'eu' } } },
    { url: 'https://api.example.com:{port}', variables: { port: { default: 8443, enum: [8443] } } },
  ])
  const document: JsonObject = {
    openapi: version,
    info: { title: `Imitation ${number}`, version: '1.0' },
    servers: [server],
    ...(dice.chance(50) && { security: [{ key: [] }] }),
    paths,
    components: {
      schemas,
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    },
  }
  const isYaml = dice.chance(50)
  const written = isYaml ? yamlOf(document, dice.chance(40)) : jsonOf(document, isOdd && dice.chance(30))
  return {
    name: `${number} (${version}, ${isYaml ? 'YAML' : 'JSON'}${isOdd ? ', with mistakes' : ''})`,
    text: written,
    ...count,
  }
}

function jsonOf(document: JsonObject, repeats: boolean): string {
  const text = JSON.stringify(document, null, 2)
  return repeats ? text.replace('"info": {', '"info": {\n    "title": "before",') : `\u{FEFF}${text}`
}

/** Writes YAML as people do: names and values without quotes, where that is possible. */
function yamlOf(value: JsonObject, isLoose: boolean): string {
  const plain = (text: string) =>
    /^[A-Za-z_$/][\w$./{}-]*$/.test(text) &&
    !/^(?:true|false|null|yes|no)$/i.test(text) &&
    !/[{}]/.test(text[0] ?? '')
      ? text
      : JSON.stringify(text)
  const name = (text: string) => (/^\d+$/.test(text) && isLoose ? text : plain(text))
  const write = (part: Json, indent: string): string => {
    if (Array.isArray(part)) {
      if (part.length === 0) return ' []'
      return part.map((item: Json) => `\n${indent}-${write(item, `${indent}  `)}`).join('')
    }
    if (part !== null && typeof part === 'object') {
      const members = Object.entries(part)
      if (members.length === 0) return ' {}'
      return members
        .map(([key, member]) => `\n${indent}${name(key)}:${write(member as Json, `${indent}  `)}`)
        .join('')
    }
    return ` ${typeof part === 'string' ? (isLoose && /^\d+\.\d+(?:\.\d+)?$/.test(part) ? part : plain(part)) : String(part)}`
  }
  return `# made by a script\n${write(value, '').trimStart()}\n`
}
