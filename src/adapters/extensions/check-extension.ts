import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import { OWN_PROTOCOLS } from '../../plan/plan.ts'
import { modelProvider } from '../../policy/model-providers.ts'
import type { Extension } from '../../run/extension.ts'

const WORD = /^[A-Za-z][A-Za-z0-9._-]{0,63}$/
const REACHES: readonly unknown[] = ['host', 'file', 'nothing']
/** Memory backends without extensions. */
const OWN_BACKENDS: readonly string[] = ['in_memory', 'sqlite']

/**
 * Validates the shape of an extension before it is used.
 * @param file the module of the extension, if it was loaded from one
 * @throws EXTENSION_INVALID
 */
export function checkExtension(value: unknown, file?: string): Extension {
  const fail = (why: string) =>
    new WaybillError('EXTENSION_INVALID', {
      fault: 'usage',
      ...defined({ file }),
      message: `the extension cannot be used: ${why}`,
      hint: 'export const extension = { name, toolProtocols, modelProviders, memoryBackends }; see docs/guides/extending.md',
      rule: 'AAIF-10-01',
    })
  const extension = recordOf(value)
  const { name } = extension ?? {}
  if (extension === null || typeof name !== 'string' || !WORD.test(name)) throw fail('it has no valid name')
  const parts = { toolProtocols, modelProviders, memoryBackends }
  for (const [part, check] of Object.entries(parts)) {
    if (extension[part] === undefined) continue
    const members = recordOf(extension[part])
    if (members === null) throw fail(`its ${part} is not an object`)
    for (const [word, member] of Object.entries(members)) {
      const own = recordOf(member)
      const wrong = !WORD.test(word)
        ? 'its name is not valid'
        : own === null || typeof own.open !== 'function'
          ? 'it has no function open'
          : check(word, own)
      if (wrong !== null) throw fail(`${part}.${word}: ${wrong}`)
    }
  }
  return value as Extension
}

function toolProtocols(word: string, { reach, discover }: Record<string, unknown>): string | null {
  if ((OWN_PROTOCOLS as readonly string[]).includes(word)) return 'this protocol is built in'
  if (!REACHES.includes(reach)) return 'invalid reach; expected "host", "file" or "nothing"'
  return discover === undefined || typeof discover === 'function' ? null : 'its discover is not a function'
}

function modelProviders(word: string, { baseUrl }: Record<string, unknown>): string | null {
  if (modelProvider(word) !== undefined || word === 'custom') return 'this provider is built in'
  if (baseUrl === undefined) return null
  const url = typeof baseUrl === 'string' ? URL.parse(baseUrl) : null
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return 'its baseUrl is not an http or https URL'
  return url.username === '' && url.password === '' ? null : 'its baseUrl contains credentials'
}

function memoryBackends(word: string): string | null {
  return OWN_BACKENDS.includes(word) ? 'this backend is built in' : null
}

function recordOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null
}

/**
 * Checks that extensions can be used together: their names must not conflict.
 * @throws EXTENSION_INVALID
 */
export function checkTogether(extensions: readonly Extension[]): readonly Extension[] {
  const takenBy = new Map<string, string>()
  for (const { name, toolProtocols: tools, modelProviders: models, memoryBackends: memory } of extensions) {
    const words = [
      `extension ${name}`,
      ...Object.keys(tools ?? {}).map((word) => `tool protocol ${word}`),
      ...Object.keys(models ?? {}).map((word) => `model provider ${word}`),
      ...Object.keys(memory ?? {}).map((word) => `memory backend ${word}`),
    ]
    for (const word of words) {
      const other = takenBy.get(word)
      if (other !== undefined) {
        throw new WaybillError('EXTENSION_INVALID', {
          fault: 'usage',
          message: `${other} and ${name} both offer the ${word}`,
          hint: 'use one of the two',
          rule: 'AAIF-10-01',
        })
      }
      takenBy.set(word, name)
    }
  }
  return extensions
}
