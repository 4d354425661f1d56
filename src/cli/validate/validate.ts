import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import type { Code } from '../../document/codes.ts'
import { decodeText } from '../../document/decode-text.ts'
import { defined } from '../../document/defined.ts'
import type { Issue } from '../../document/issue.ts'
import type { Json } from '../../document/json.ts'
import { lazyModule } from '../../document/lazy-module.ts'
import { encodingOfFile } from '../../document/media-types.ts'
import { MAX_BYTES } from '../../document/read-document.ts'
import { readFileStart } from '../../document/read-file.ts'
import { isLinesFile, MAX_STREAM_BYTES } from '../../document/read-lines.ts'
import { whyUnreadable } from '../../document/why-unreadable.ts'
import type { MappedSchemas } from '../../schema/mapped-schemas.ts'
import type { FindSchema } from '../../schema/user-schema-bundle.ts'
import { judgeFile } from '../../spec/judge-file.ts'
import { KINDS, type Kind } from '../../spec/kinds.ts'
import { EXIT, type ExitCode, type Io } from '../io.ts'
import { kindHint, UNKNOWN_KIND_HINT } from '../options/unknown-kind.ts'
import { usageError } from '../usage-error.ts'
import type * as Schemas from './find-schemas.ts'
import { type FileReport, REPORT_FORMATS, type ReportFormat } from './report/report.ts'

const require = createRequire(import.meta.url)
const loadSchemas = lazyModule<typeof Schemas>(() => require('./find-schemas.ts'))

export interface ValidateOptions {
  /** The kind of all files. If absent, it is detected for each file. */
  readonly kind?: string
  /** Treat warnings as errors. */
  readonly strict?: boolean
  /** Accept dialects that are in use, and report them as warnings. */
  readonly lenient?: boolean
  /** The largest permitted file size in bytes; default 8 MiB, for a stream 64 MiB. */
  readonly maxBytes?: number
  /** Files of registries whose standard values are permitted in addition to those of the schemas (AAIF §10). */
  readonly registries?: readonly string[]
  /** Files of schemas that the documents refer to, each `URL=FILE`. */
  readonly schemas?: readonly string[]
  /** The configuration of the operator, which also maps schemas; default: the one in the home. */
  readonly config?: string
  readonly format?: ReportFormat
}

/** The options with the contents of the registries. */
interface Settings extends Omit<ValidateOptions, 'registries' | 'schemas'> {
  readonly registries: readonly Json[]
  /** Returns the documents that the schemas in a file refer to. */
  readonly findSchemaFor: (file: string) => FindSchema
}

export interface ValidateResult {
  readonly files: readonly FileReport[]
  readonly exit: ExitCode
}

/**
 * Validates each file and writes the report (`waybill validate`).
 * Exit 0 if all files are valid, 1 if a file is invalid, 2 if a file cannot be read; the highest code applies.
 * @throws USAGE for invalid options
 */
export async function validate(
  paths: readonly string[],
  options: ValidateOptions,
  io: Io,
): Promise<ValidateResult> {
  checkOptions(paths, options)
  const registries = await registriesOf(options, io)
  const findSchemaFor = findSchemas(options, io)
  const judged = await judgeAll(paths, { ...options, registries, findSchemaFor }, io)
  const files = judged.map(({ report }) => report)
  const exit = Math.max(EXIT.ok, ...judged.map((one) => one.exit)) as ExitCode
  await writeReport(files, options.format ?? 'pretty', io)
  return { files, exit }
}

async function registriesOf({ registries = [] }: ValidateOptions, io: Io): Promise<readonly Json[]> {
  if (registries.length === 0) return []
  return (await import('../files/read-registries.ts')).readRegistries(registries, io)
}

/** Loaded with the first schema that refers to another document, because few do; the files of `--schema` are read at once. */
function findSchemas({ schemas, config }: ValidateOptions, io: Io): (file: string) => FindSchema {
  const given = schemas === undefined ? undefined : loadSchemas().mappedSchemas(schemas, io)
  let mapped: MappedSchemas | undefined
  return (file) => {
    let find: FindSchema | undefined
    return (address) => {
      mapped ??= { ...loadSchemas().configuredSchemas(config, io), ...given }
      find ??= loadSchemas().findSchemaFor(file, mapped, io)
      return find(address)
    }
  }
}

interface Judged {
  readonly report: FileReport
  readonly exit: ExitCode
}

function checkOptions(paths: readonly string[], { kind, maxBytes, format }: ValidateOptions): void {
  if (paths.length === 0) {
    throw usageError('no file given', 'give files, directories or globs, or "-" for standard input')
  }
  if (kind !== undefined && !isKind(kind)) {
    throw usageError(`unknown kind "${kind}"`, kindHint(kind))
  }
  if (maxBytes !== undefined && !(Number.isSafeInteger(maxBytes) && maxBytes > 0)) {
    throw usageError('--max-bytes must be a whole number above 0', 'the default is 8388608')
  }
  if (format !== undefined && !REPORT_FORMATS.includes(format)) {
    throw usageError(`unknown format "${format}"`, `known formats: ${REPORT_FORMATS.join(', ')}`)
  }
}

async function judgeAll(paths: readonly string[], options: Settings, io: Io): Promise<Judged[]> {
  const judged: Judged[] = []
  for (const path of paths) {
    if (path === '-') {
      judged.push(judgeBytes('-', await readStream(io.stdin, limitOf('-', options)), options))
      continue
    }
    const plain = !/[*?[{]/.test(path) && encodingOfFile(path) !== undefined
    const bytes = plain ? readNamed(resolve(io.cwd, path), limitOf(path, options)) : undefined
    if (bytes !== undefined) {
      judged.push(judgeBytes(path, bytes, options))
      continue
    }
    judged.push(...(await judgeFound(path, options, io)))
  }
  return judged
}

const HINT_OF_MISSING = 'check the path; `waybill init` creates a first definition'

/** Validates the files of a directory or a glob, or reports a missing path. */
async function judgeFound(path: string, options: Settings, io: Io): Promise<Judged[]> {
  const { findFiles, readFound } = await import('../files/find-files.ts')
  const found = await findFiles(path, io.cwd)
  if ('missing' in found) return [unreadable(path, 'FILE_UNREADABLE', found.missing, HINT_OF_MISSING)]
  const { files, searched } = found
  return files.map((file) => {
    try {
      return judgeBytes(file, readFound(file, io.cwd, searched, limitOf(file, options) + 1), options)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      const own = code === 'FILE_NOT_REGULAR' ? code : 'FILE_UNREADABLE'
      const hint = 'check its permissions; to validate a file that is linked or piped, give its own path'
      return unreadable(file, own, `the file cannot be read: ${whyUnreadable(error)}`, hint)
    }
  })
}

/**
 * Reads a file that was given by its path, at most one byte more than allowed. Returns undefined if that fails, so that
 * the path is searched for.
 */
function readNamed(path: string, maxBytes: number): Uint8Array | undefined {
  try {
    return readFileStart(path, maxBytes + 1, 'given')
  } catch {
    return undefined
  }
}

async function readStream(stream: NodeJS.ReadableStream, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Uint8Array)
    chunks.push(bytes)
    size += bytes.byteLength
    if (size > maxBytes) break
  }
  return Buffer.concat(chunks)
}

function unreadable(file: string, code: Code, message: string, hint: string): Judged {
  const issue: Issue = { severity: 'error', code, pointer: '', line: 1, column: 1, message, hint }
  return { report: { file, kind: null, ok: false, issues: [issue] }, exit: EXIT.usage }
}

function judgeBytes(file: string, bytes: Uint8Array, options: Settings): Judged {
  const { kind: given, lenient = false, registries, maxBytes, findSchemaFor } = options
  const reading = { ...(file !== '-' && { file }), ...defined({ maxBytes }) }
  const { kind, shape, document, issues, format } = judgeFile(bytes, reading, given as Kind | undefined, {
    lenient,
    registries,
    findSchema: findSchemaFor(file),
  })
  if (document === undefined) {
    const tooLarge = issues.some(({ code }) => code === 'DOCUMENT_TOO_LARGE')
    const encoding = encodingOfFile(file)
    const binary = encoding === 'cbor' || encoding === 'msgpack'
    const text = tooLarge || binary ? undefined : textOf(bytes)
    return verdict({ file, kind: kind ?? null, ...defined({ format }), issues, text }, options)
  }
  if (kind === undefined) {
    const said = issues.length === 0 ? [unknownKind] : issues
    return verdict({ file, kind: null, ...defined({ format }), issues: said, document }, options)
  }
  return verdict({ file, kind, ...defined({ shape }), issues, document }, options)
}

const STREAM = 'aaif.handoff-stream' as const

/** Returns the largest permitted size of a file in bytes. */
function limitOf(file: string, options: Settings): number {
  const stream = options.kind === STREAM || (options.kind === undefined && isLinesFile(file))
  return options.maxBytes ?? (stream ? MAX_STREAM_BYTES : MAX_BYTES)
}

function isKind(name: string): name is Kind {
  return (KINDS as readonly string[]).includes(name)
}

function textOf(bytes: Uint8Array): string {
  const decoded = decodeText(bytes)
  return 'text' in decoded ? decoded.text : decoded.before
}

function verdict(report: Omit<FileReport, 'ok'>, { strict = false }: Settings): Judged {
  const counts = ({ severity }: Issue) => severity === 'error' || (strict && severity === 'warning')
  const ok = !report.issues.some(counts)
  return { report: { ...report, ok }, exit: ok ? EXIT.ok : EXIT.no }
}

const unknownKind: Issue = {
  severity: 'error',
  code: 'KIND_UNKNOWN',
  pointer: '',
  line: 1,
  column: 1,
  message: 'unknown kind of document',
  hint: UNKNOWN_KIND_HINT,
}

async function writeReport(files: readonly FileReport[], format: ReportFormat, io: Io): Promise<void> {
  switch (format) {
    case 'json':
      return io.out((await import('./report/json-report.ts')).jsonReport(files))
    case 'sarif':
      return io.out((await import('./report/sarif-report.ts')).sarifReport(files))
    case 'github':
      return io.out((await import('./report/github-report.ts')).githubReport(files))
    case 'pretty':
      return io.err((await import('./report/pretty-report.ts')).prettyReport(files, io.color))
  }
}
