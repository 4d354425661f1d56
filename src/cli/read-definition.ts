import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Issue, type Json, WaybillError } from '../document/issue.ts'
import { readDocument } from '../document/read-document.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import { validateAgentDefinition } from '../spec/aaif/validate-agent-definition.ts'
import type { Io } from './io.ts'

export interface ReadDefinition {
  readonly definition: AgentDefinition
  /** Absolute path; absent for standard input. */
  readonly path?: string
  readonly warnings: readonly Issue[]
}

/**
 * Reads and checks a definition that a command is to act on.
 * @param file a path, or `-` for standard input
 * @param registries whose words count as well (AAIF §10)
 * @throws DEFINITION_INVALID naming the first error and how many there are; FILE_UNREADABLE
 */
export async function readDefinition(
  file: string,
  io: Io,
  registries: readonly Json[] = [],
): Promise<ReadDefinition> {
  const path = file === '-' ? undefined : resolve(io.cwd, file)
  const bytes = path === undefined ? await readAll(io.stdin) : readBytes(path, file)
  if (bytes.length === 0) {
    throw new WaybillError('FILE_EMPTY', {
      fault: 'usage',
      file,
      message: file === '-' ? 'standard input is empty' : 'the file is empty',
      hint: 'an agent definition is expected; `waybill init` writes a first one',
    })
  }
  const read = readDocument(bytes, path === undefined ? {} : { file: path })
  const issues =
    read.document === undefined ? read.issues : validateAgentDefinition(read.document, { registries })
  const errors = issues.filter((issue) => issue.severity === 'error')
  const [first] = errors
  if (read.document === undefined || first !== undefined) throw invalid(file, errors)
  return {
    definition: read.document.value as unknown as AgentDefinition,
    ...(path !== undefined && { path }),
    warnings: issues.filter((issue) => issue.severity === 'warning'),
  }
}

function readBytes(path: string, file: string): Buffer {
  try {
    return readFileSync(path)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new WaybillError('FILE_UNREADABLE', {
      fault: 'usage',
      file,
      message: whyUnreadable(cause),
      hint:
        code === 'EISDIR'
          ? 'name the definition file in it'
          : 'check the path; `waybill init` writes a first definition',
      cause,
    })
  }
}

export function whyUnreadable(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'there is no such file'
    case 'EISDIR':
      return 'it is a folder'
    case 'EACCES':
    case 'EPERM':
      return 'it may not be read: look at its permissions'
    default:
      return `it cannot be read: ${code ?? message}`
  }
}

export async function readAll(stream: NodeJS.ReadableStream): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

function invalid(file: string, errors: readonly Issue[]): WaybillError {
  const [first] = errors
  const more = errors.length - 1
  const others = more > 0 ? ` (and ${more} more error${more > 1 ? 's' : ''})` : ''
  return new WaybillError('DEFINITION_INVALID', {
    file,
    message: `${first?.message ?? 'it is not a valid agent definition'}${others}`,
    ...(first !== undefined && { at: first.pointer, line: first.line, column: first.column }),
    ...(first?.rule !== undefined && { rule: first.rule }),
    hint: first?.hint ?? `\`waybill validate ${file}\` shows all of it`,
  })
}
