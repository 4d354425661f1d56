import { existsSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { v4 as uuidv4 } from 'uuid'
import type { Code } from '../../document/codes.ts'
import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import { whyUnreadable } from '../../document/why-unreadable.ts'
import { type Io, isInteractive } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { jsonText } from '../terminal/plain-text.ts'
import { usageError } from '../usage-error.ts'
import type { Answers } from './ask-missing.ts'
import { editorSchema } from './editor-schema.ts'
import { type FirstAgent, firstDefinition, firstDefinitionYaml } from './first-definition.ts'
import { firstModel } from './first-models.ts'
import { firstToolsModule } from './first-tools.ts'
import { nextSteps } from './next-steps.ts'
import { isToolName } from './tool-name.ts'

interface Options extends Answers {
  readonly output: string
  readonly force?: boolean
  readonly json?: boolean
  readonly format?: string
}

const FIRST_PROVIDER = 'openai'
const TOOLS_FILE = 'tools.mjs'

/**
 * Asks for missing values, writes the definition, the module with its functions and the schema for editors, and prints
 * the next steps (`waybill init`).
 */
export async function writeFirstDefinition(given: Options, io: Io): Promise<void> {
  const json = wantsJson(given)
  const path = resolve(io.cwd, given.output)
  const extension = extname(path).toLowerCase()
  if (!['.yaml', '.yml', '.json'].includes(extension))
    throw unusable(
      'OUTPUT_FILE_INVALID',
      `"${given.output}" does not have the extension of a definition file`,
      'use .yaml, .yml or .json',
    )
  const wrong = (given.tool ?? []).find((name) => !isToolName(name))
  if (wrong !== undefined)
    throw unusable(
      'TOOL_NAME_INVALID',
      `"${wrong}" is not a valid tool name`,
      'use letters, digits, _ and -; begin with a letter or _',
    )
  const person = isInteractive(io, json) ? await import('./ask-missing.ts') : undefined
  if (existsSync(path) && given.force !== true && (await person?.mayReplace(given.output, io)) !== true) {
    throw unusable(
      'FILE_EXISTS',
      `${given.output} already exists`,
      'add --force to overwrite it, or give another file with --output',
    )
  }
  const answers = (await person?.askMissing(given, io)) ?? given
  // JSON has no comments, and a definition has no member that names its schema.
  const schema = extension === '.json' ? undefined : editorSchema(path, given.force === true)
  const agent = agentOf(answers, schema?.reference)
  const text =
    extension === '.json'
      ? `${JSON.stringify(firstDefinition(agent), null, 2)}\n`
      : firstDefinitionYaml(agent)
  write(path, text, given)
  const files = [path]
  const tools = toolsOf(path, agent)
  if (tools?.isNew === true) files.push(writeBeside(given.output, tools.path, firstToolsModule(agent.tools)))
  if (schema?.missing !== undefined)
    files.push(writeBeside(given.output, schema.missing.path, schema.missing.text))
  if (json) {
    const { agent_id } = agent
    io.out(`${jsonText({ file: path, agent_id, ...defined({ tools_file: tools?.path }), files })}\n`)
    return
  }
  const written = {
    agent,
    file: given.output,
    ...(tools !== undefined && { tools: { name: TOOLS_FILE, isNew: tools.isNew } }),
    ...(schema?.missing !== undefined && { schema: basename(schema.missing.path) }),
  }
  io.err(nextSteps(written, io))
}

function agentOf(answers: Answers, schema: string | undefined): FirstAgent {
  const { name, goal, provider = FIRST_PROVIDER, approval, baseUrl, tool = [] } = answers
  if (name === undefined || goal === undefined) {
    throw usageError(
      'no name or no goal given',
      'waybill init --name "Parcel clerk" --goal "Answer questions about parcels."',
    )
  }
  const model = answers.model ?? firstModel(provider)
  if (model === undefined)
    throw usageError(
      `no default model is known for the provider "${provider}"`,
      'give a model id with --model',
    )
  if (baseUrl !== undefined && !/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? ''))
    throw unusable(
      'BASE_URL_INVALID',
      `"${baseUrl}" is not a valid base URL`,
      'use an absolute URL, such as https://gateway.example/v1',
    )
  return {
    agent_id: uuidv4(),
    name,
    goal,
    provider,
    model,
    tools: [...new Set(tool)],
    approval: approval === true,
    ...defined({ schema, base_url: baseUrl }),
  }
}

/** Returns the module with the functions next to the definition, and whether it must be written: it is never replaced. */
function toolsOf(
  definition: string,
  { tools }: FirstAgent,
): { readonly path: string; readonly isNew: boolean } | undefined {
  if (tools.length === 0) return undefined
  const path = join(dirname(definition), TOOLS_FILE)
  return { path, isNew: !existsSync(path) }
}

/** Writes a file next to the definition. @returns its path */
function writeBeside(definition: string, path: string, text: string): string {
  write(path, text, { output: join(dirname(definition), basename(path)) })
  return path
}

function write(path: string, text: string, { output, force }: Pick<Options, 'output' | 'force'>): void {
  try {
    // A file created after the check above is not overwritten either.
    writeFileSync(path, text, { flag: force === true || existsSync(path) ? 'w' : 'wx' })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const message =
      code === 'ENOENT' ? 'the folder does not exist' : whyUnreadable(cause).replace('read', 'written')
    throw new WaybillError('FILE_UNWRITABLE', {
      fault: 'usage',
      file: output,
      message,
      hint: 'give another file with --output',
      cause,
    })
  }
}

function unusable(code: Code, message: string, hint: string): WaybillError {
  return new WaybillError(code, { fault: 'usage', message, hint })
}
