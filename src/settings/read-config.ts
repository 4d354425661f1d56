import { X509Certificate } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { defined } from '../document/defined.ts'
import { WaybillError } from '../document/issue.ts'
import { isObject, type Json, type JsonObject } from '../document/json.ts'
import { escapeStep, fromPointer } from '../document/json-pointer.ts'
import { MAX_BYTES, readDocument } from '../document/read-document.ts'
import { readFileWithin } from '../document/read-file.ts'
import { readBeside } from '../document/read-inside.ts'
import { suggest } from '../document/suggest.ts'
import { unreadableHint } from '../document/unreadable-hint.ts'
import { whyUnreadable } from '../document/why-unreadable.ts'
import { compileUserSchema } from '../schema/user-schema.ts'
import { type Config, configSchema, type ProjectConfig, projectSchema } from './config-schema.ts'
import { functionsAt } from './configured-functions.ts'

/**
 * Reads the configuration of the operator: `--config FILE`, else `config.yaml` in the home; `{}` if there is none.
 * @param home the home folder of Waybill
 * @throws CONFIG_INVALID with the place of the error
 */
export function readConfig(home: string | undefined, file: string | undefined): Config {
  const path = file ?? (home === undefined ? undefined : join(home, 'config.yaml'))
  if (path === undefined || (file === undefined && !isPresent(path))) return {}
  const config = checked(readConfigFile(path), path, configSchema) as Config
  const { ca_files, extensions, functions, schemas, signatures } = config
  return {
    ...config,
    ...(ca_files !== undefined && {
      ca_files: ca_files.map((name, index) => certificatesAt(name, index, path)),
    }),
    ...(schemas !== undefined && {
      schemas: Object.fromEntries(
        Object.entries(schemas).map(([address, name]) => [address, resolve(dirname(path), name)]),
      ),
    }),
    ...(signatures?.sources !== undefined && {
      signatures: { ...signatures, sources: sourcesAt(signatures.sources, path) },
    }),
    ...(functions !== undefined && { functions: functionsAt(functions, path) }),
    ...(extensions !== undefined && { extensions: extensions.map((name) => resolve(dirname(path), name)) }),
  }
}

/** A folder that cannot be searched must not look like a home without a configuration. @throws CONFIG_UNREADABLE */
function isPresent(path: string): boolean {
  try {
    return lstatSync(path) !== undefined
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return false
    throw unreadable(path, whyUnreadable(cause), cause)
  }
}

/** Returns the absolute path of a PEM file in the configuration, relative to the folder of the configuration. */
function certificatesAt(name: string, index: number, config: string): string {
  const path = resolve(dirname(config), name)
  try {
    new X509Certificate(readFileWithin(path, MAX_BYTES))
    return path
  } catch (cause) {
    throw new WaybillError('CONFIG_INVALID', {
      fault: 'usage',
      file: config,
      at: `/ca_files/${index}`,
      message: `${name} is not a certificate file: ${(cause as NodeJS.ErrnoException).code ?? 'it cannot be read'}`,
      hint: unreadableHint(
        path,
        cause,
        'use a PEM file that begins with -----BEGIN CERTIFICATE-----; its path is relative to the folder of the configuration',
      ),
      cause,
    })
  }
}

/** Returns the sources with absolute paths, relative to the folder of the configuration. URLs stay as they are. */
function sourcesAt<T>(sources: Readonly<Record<string, T>>, config: string): Readonly<Record<string, T>> {
  const absolute = (source: string) => {
    if (/^https?:\/*$/i.test(source) || (/^https?:/i.test(source) && URL.canParse(source))) return source
    if (!/^[a-z][a-z0-9+.-]+:|^~/i.test(source)) return resolve(dirname(config), source)
    // A source that matches nothing would look like a requirement that is in force.
    throw new WaybillError('CONFIG_INVALID', {
      fault: 'usage',
      file: config,
      at: `/signatures/sources/${escapeStep(source)}`,
      message: `${source} is neither a path nor a URL of http or https`,
      hint: 'write the path of a folder, without "~", or a URL such as https://agents.example/',
    })
  }
  return Object.fromEntries(Object.entries(sources).map(([source, policy]) => [absolute(source), policy]))
}

/** Reads `waybill.yaml` in the folder of the definition, or returns `{}`. It can only remove permissions. */
export function readProjectConfig(folder: string): ProjectConfig {
  const path = join(folder, 'waybill.yaml')
  const read = readBeside(path, MAX_BYTES)
  if (read === undefined) return {}
  if (!read.ok) throw unreadable(path, read.reason)
  return checked(read.bytes, path, projectSchema) as ProjectConfig
}

/** Matches a pointer up to a colon and a space, because names of models and URLs contain colons. */
const FIRST_POINTER = /^(\/(?:(?!: ).)*): /
const UNKNOWN_MEMBER = /(?:^|; )(\/(?:(?!: ).)*): unknown member/

function readConfigFile(path: string): Buffer {
  try {
    return readFileWithin(path, MAX_BYTES, 'given')
  } catch (cause) {
    throw unreadable(path, whyUnreadable(cause), cause)
  }
}

function unreadable(file: string, why: string, cause?: unknown): WaybillError {
  return new WaybillError('CONFIG_UNREADABLE', {
    fault: 'usage',
    file,
    message: `the configuration cannot be read: ${why}`,
    hint: unreadableHint(
      file,
      cause,
      'check the path; it must be a file that this user may read, and a `waybill.yaml` must not be a link to another folder',
    ),
    ...defined({ cause }),
  })
}

function checked(bytes: Buffer, path: string, schema: JsonObject): unknown {
  if (bytes.toString('utf8').trim() === '') return {}
  const { document, issues } = readDocument(bytes, { file: path })
  const [issue] = issues ?? []
  if (document === undefined) {
    throw new WaybillError('CONFIG_INVALID', {
      fault: 'usage',
      file: path,
      message: issue?.message ?? 'it cannot be read',
      ...(issue !== undefined && { line: issue.line, column: issue.column }),
      hint: issue?.hint ?? 'write YAML or JSON in UTF-8; see docs/guides/configuration.md',
    })
  }
  const breach = compileUserSchema(withoutAbsent(schema, document.value))(document.value)
  if (breach === null) return document.value
  // An unknown member is the most helpful explanation for other errors.
  const pointer = (UNKNOWN_MEMBER.exec(breach) ?? FIRST_POINTER.exec(breach))?.[1]
  const place = document.locate(pointer ?? '')
  throw new WaybillError('CONFIG_INVALID', {
    fault: 'usage',
    file: path,
    line: place.line,
    column: place.column,
    ...defined({ at: pointer }),
    message: `the configuration is invalid: ${breach}`,
    hint: hintAt(schema, pointer ?? ''),
  })
}

/** Returns the permitted members at the place of an error, and the most similar one first. */
function hintAt(schema: JsonObject, pointer: string): string {
  const path = fromPointer(pointer)
  const known = membersAt(schema, path.slice(0, -1)) ?? membersAt(schema, []) ?? []
  const name = path.at(-1)
  const meant = name === undefined || known.includes(name) ? undefined : suggest(name, known)
  const first = meant === undefined ? '' : `did you mean "${meant}"? `
  return `${first}valid members: ${known.join(', ')}; see docs/guides/configuration.md`
}

/** Returns the member names that the schema permits for the object at this place, if it lists them. */
function membersAt(schema: JsonObject, path: readonly string[]): readonly string[] | undefined {
  let at: JsonObject | undefined = schema
  for (const step of path) {
    const { properties = {}, additionalProperties, items } = at as Record<string, JsonObject | undefined>
    const next = Object.hasOwn(properties, step) ? properties[step] : (additionalProperties ?? items)
    if (next === null || typeof next !== 'object') return undefined
    at = next as JsonObject
  }
  return at.properties === undefined ? undefined : Object.keys(at.properties as JsonObject)
}

/** Returns a schema without members that a value does not have: what remains seldom needs Ajv, which takes 100 ms. */
function withoutAbsent(schema: JsonObject, value: Json): JsonObject {
  const { properties } = schema
  if (!isObject(properties) || !isObject(value)) return schema
  const present = Object.entries(properties).filter(([name]) => Object.hasOwn(value, name))
  return { ...schema, properties: Object.fromEntries(present) }
}
