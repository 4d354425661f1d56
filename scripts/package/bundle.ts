import { builtinModules } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { type OutputChunk, type Plugin, rolldown } from 'rolldown'
import { packageOf } from './bundled-packages.ts'

interface BundleRequest {
  readonly root: string
  /** The folder of the sources, whose modules may load other modules on first use. */
  readonly sources: string
  readonly outDir: string
  /** The source file of each entry, by the name of the written file without `.js`. */
  readonly entries: Readonly<Record<string, string>>
  /** Packages that are imported at run time instead of bundled. */
  readonly external: ReadonlySet<string>
  /** Files that become one chunk. A file of one set may import only files of its own set and of earlier ones. */
  readonly together: readonly { readonly name: string; readonly files: ReadonlySet<string> }[]
}

/**
 * Bundles sources into few files, because a start spends most of its time on finding files (decision 0023). All files
 * are written into one folder, so that a path relative to one chunk is right in each of them. Names are kept, and each
 * part names its source, so that stack traces stay readable.
 * @returns the folders of the packages of which code was bundled
 * @throws Error for a warning of the bundler, and for chunks that import each other in a cycle
 */
export async function bundle(request: BundleRequest): Promise<readonly string[]> {
  const { root, sources, outDir, entries, external, together } = request
  const build = await rolldown({
    cwd: root,
    input: {},
    platform: 'node',
    external: (id) => builtinModules.includes(id) || id.startsWith('node:') || external.has(packageOf(id)),
    plugins: [strictEntries(entries), lateModules(sources, external)],
    transform: { target: 'es2024' },
    tsconfig: join(root, 'tsconfig.json'),
    preserveEntrySignatures: 'allow-extension',
    onLog(level, log) {
      // One module may load on first use what another imports statically: the order depends on the command.
      if (log.code !== 'INEFFECTIVE_DYNAMIC_IMPORT')
        throw new Error(`the bundler says: ${level} ${log.message}`)
    },
  })
  const { output } = await build.write({
    dir: outDir,
    format: 'es',
    // The prefix avoids the fixed names of the entries.
    chunkFileNames: 'chunk-[name].js',
    comments: { legal: true, annotation: true, jsdoc: false },
    codeSplitting: {
      groups: together.map(({ name, files }, index) => ({
        name,
        test: (id: string) => files.has(id),
        priority: together.length - index,
        includeDependenciesRecursively: false,
      })),
    },
  })
  await build.close()
  const chunks = output.filter((file) => file.type === 'chunk')
  const cycle = findCycle(chunks)
  if (cycle !== undefined) throw new Error(`chunks import each other: ${cycle.join(' → ')}`)
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds)
  return [...new Set(modules.flatMap((id) => packageFolder(id) ?? []))].sort()
}

function findCycle(chunks: readonly OutputChunk[]): readonly string[] | undefined {
  const imports = new Map(chunks.map((chunk) => [chunk.fileName, chunk.imports]))
  const done = new Set<string>()
  const search = (file: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(file)) return [...path, file]
    if (done.has(file)) return undefined
    for (const next of imports.get(file) ?? []) {
      const found = search(next, [...path, file])
      if (found !== undefined) return found
    }
    done.add(file)
    return undefined
  }
  for (const file of imports.keys()) {
    const found = search(file, [])
    if (found !== undefined) return found
  }
  return undefined
}

/** Makes built entries export exactly what their sources export, without names that only other chunks need. */
function strictEntries(entries: Readonly<Record<string, string>>): Plugin {
  return {
    name: 'waybill-strict-entries',
    buildStart() {
      for (const [name, id] of Object.entries(entries)) {
        this.emitFile({ type: 'chunk', id, fileName: `${name}.js`, preserveSignature: 'strict' })
      }
    },
  }
}

function packageFolder(id: string): string | undefined {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0]
}

const OWN_REQUIRE = /^const require = createRequire\(import\.meta\.url\)$/m
const REQUIRE = /\brequire\(\s*'([^']+)'\s*,?\s*\)/g
const LATE = 'waybillLate'
const OWN_PLACE = /(?<!createRequire\()\bimport\.meta\.(dirname|filename|url)\b/g

/**
 * Follows `require('./part.ts')` and `require('package')`: a bundled module becomes a separate chunk, which is still
 * loaded synchronously on first use. Also keeps the value that `import.meta.dirname`, `filename` and `url` would have
 * with one file per module.
 */
function lateModules(sources: string, external: ReadonlySet<string>): Plugin {
  return {
    name: 'waybill-late-modules',
    transform: {
      filter: { id: { exclude: /node_modules/ }, code: /import\.meta/ },
      handler(code, id) {
        if (!id.startsWith(sources + sep)) return null
        const place = `./${relative(sources, id).split(sep).join('/')}`
        return lateAsDynamic(code, external).replace(OWN_PLACE, (_, member: string) =>
          ownPlace(member, place),
        )
      },
    },
    generateBundle(_, output) {
      for (const chunk of Object.values(output)) {
        if (chunk.type === 'chunk') chunk.code = builtinsWithoutFacade(dynamicAsLate(chunk.code))
      }
    },
  }
}

/** Replaces calls of `require` by dynamic imports, from which the bundler makes chunks. */
function lateAsDynamic(code: string, external: ReadonlySet<string>): string {
  if (!OWN_REQUIRE.test(code)) return code
  let kept = false
  const seen = code.replace(REQUIRE, (call, specifier: string) => {
    kept ||= external.has(packageOf(specifier))
    return external.has(packageOf(specifier)) ? call : `${LATE}(import('${specifier}'))`
  })
  return kept ? seen : seen.replace(OWN_REQUIRE, '')
}

const LOADED = String.raw`(?:Promise\.resolve\(\)|import\("(?<file>\./[^"]+)"\))`
const COPIED = String.raw`/\* @__PURE__ \*/ __toESM\((?<commonJs>[\w$.]+(?:\(\))?), 1\)`
/** `import("./a.js")`, `import("./a.js").then((n) => n.b)`, `Promise.resolve().then(() => c)`, with or without `__toESM`. */
const WRITTEN = new RegExp(
  String.raw`${LATE}\(${LOADED}(?:\.then\(\((?<name>\w*)\) => (?:${COPIED}|(?<plain>[\w$.]+))\))?\)`,
  'g',
)

/**
 * Replaces the dynamic imports in the bundler's output by synchronous loading of the chunk. A CommonJS module keeps
 * its own exports, without the copy that `__toESM` makes for an import.
 * @throws Error for an unknown form of dynamic import
 */
function dynamicAsLate(code: string): string {
  const late = code.replace(WRITTEN, (...match) => {
    const { file, name = '', commonJs, plain } = match.at(-1) as Record<string, string | undefined>
    const loaded = `waybillRequire("${file}")`
    const value = commonJs ?? plain
    if (value === undefined) return loaded
    return file === undefined ? value : value.replace(new RegExp(`^${name}\\b`), loaded)
  })
  const unknown = /.*waybillLate.*/.exec(late)?.[0]
  if (unknown !== undefined) throw new Error(`the bundler wrote a dynamic import in a new form: ${unknown}`)
  if (!late.includes('waybillRequire(')) return late
  return `const waybillRequire = globalThis.process.getBuiltinModule("node:module").createRequire(import.meta.url);\n${late}`
}

const BUILTIN_IMPORT = /^import (?:([\w$]+)(?:, )?)?(?:\{ (.+) \})? ?from "(node:[\w/]+)";$/gm

/** Builtin modules that take up to 5 ms to load, and that most starts do not call. */
const LATE_BUILTINS: ReadonlySet<string> = new Set(
  ['child_process', 'dns', 'dns/promises', 'net', 'readline', 'tls', 'zlib'].map((name) => `node:${name}`),
)

/**
 * Reads builtin modules without `import`: an import reads all exports of the builtin module, which loads further parts
 * of Node (Web Crypto, standard input) and takes about 10 ms of a start. Uses `globalThis.process`, because `process`
 * may be a name in the module.
 */
function builtinsWithoutFacade(code: string): string {
  return code.replace(
    BUILTIN_IMPORT,
    (_, whole: string | undefined, named: string | undefined, id: string) => {
      const loaded = `globalThis.process.getBuiltinModule("${id}")`
      const isLate = LATE_BUILTINS.has(id)
      const lines: string[] = []
      if (whole !== undefined) {
        lines.push(
          `const ${whole} = ${isLate ? `new Proxy({}, { get: (_, name) => ${loaded}[name] })` : loaded};`,
        )
      }
      for (const one of named?.split(', ') ?? []) {
        const [name = '', local = name] = one.split(' as ')
        const isCalled = isLate && isPlainFunction(id, name)
        lines.push(
          `const ${local} = ${isCalled ? `(...args) => ${loaded}.${name}(...args)` : `${loaded}.${name}`};`,
        )
      }
      return lines.join(' ')
    },
  )
}

/** Returns false for a class, which begins with a capital letter and cannot be called through another function. */
function isPlainFunction(id: string, name: string): boolean {
  const members = process.getBuiltinModule(id) as Readonly<Record<string, unknown>> | undefined
  return typeof members?.[name] === 'function' && /^[a-z]/.test(name)
}

/** Returns an expression for the place that the module would have with one file per module below `lib/`. */
function ownPlace(member: string, place: string): string {
  const url = `new URL('${place}', import.meta.url)`
  switch (member) {
    case 'url':
      return `${url}.href`
    case 'filename':
      return `globalThis.process.getBuiltinModule('node:url').fileURLToPath(${url})`
    default:
      return `globalThis.process.getBuiltinModule('node:url').fileURLToPath(new URL('${dirname(place)}', import.meta.url))`
  }
}
