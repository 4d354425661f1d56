import { existsSync, writeFileSync } from 'node:fs'
import { dirname, extname, join, resolve } from 'node:path'
import { v4 as uuidv4 } from 'uuid'
import type { Code } from '../../document/codes.ts'
import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import { whyUnreadable } from '../../document/why-unreadable.ts'
import { providerNames } from '../../policy/model-providers.ts'
import { type Io, isInteractive } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { painter } from '../terminal/paint.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { openPrompts } from '../terminal/prompts.ts'
import { usageError } from '../usage-error.ts'
import { type FirstAgent, firstDefinition, firstDefinitionYaml } from './first-definition.ts'
import { firstToolsModule } from './first-tools.ts'

interface Options {
  readonly name?: string
  readonly goal?: string
  readonly provider: string
  readonly model?: string
  readonly tool?: readonly string[]
  readonly output: string
  readonly approval?: boolean
  readonly force?: boolean
  readonly json?: boolean
  readonly format?: string
}

/** Default models of the most common providers. */
const FIRST_MODELS: Readonly<Record<string, string>> = {
  openai: 'gpt-4o-mini',
  anthropic: 'claude-sonnet-4-5',
  openrouter: 'openai/gpt-4o-mini',
  ollama: 'llama3.2',
}
/** Where an installed Waybill has the schema for editors. */
const SCHEMA = 'node_modules/waybill/schemas/aaif/agent.schema.json'
const TOOLS_FILE = 'tools.mjs'
const TOOL_NAME = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/

/** Asks for missing values, writes the definition, and prints the next steps (`waybill init`). */
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
  const wrong = (given.tool ?? []).find((name) => !TOOL_NAME.test(name))
  if (wrong !== undefined)
    throw unusable(
      'TOOL_NAME_INVALID',
      `"${wrong}" is not a valid tool name`,
      'use letters, digits, _ and -; begin with a letter or _',
    )
  const interactive = isInteractive(io, json)
  if (existsSync(path) && given.force !== true && !(interactive && (await mayReplace(given.output, io)))) {
    throw unusable(
      'FILE_EXISTS',
      `${given.output} already exists`,
      'add --force to overwrite it, or give another file with --output',
    )
  }
  const options = interactive ? await askMissing(given, io) : given
  const { name, goal } = options
  if (name === undefined || goal === undefined) {
    throw usageError(
      'no name or no goal given',
      'waybill init --name "Parcel clerk" --goal "Answer questions about parcels."',
    )
  }
  const agent: FirstAgent = {
    agent_id: uuidv4(),
    name,
    goal,
    provider: options.provider,
    model: modelOf(options),
    tools: [...new Set(options.tool ?? [])],
    approval: options.approval === true,
    ...(existsSync(join(dirname(path), SCHEMA)) && { schema: `./${SCHEMA}` }),
  }
  const text =
    extension === '.json'
      ? `${JSON.stringify(firstDefinition(agent), null, 2)}\n`
      : firstDefinitionYaml(agent)
  write(path, text, given)
  const functions = writeTools(path, given.output, agent)
  if (json) {
    const written = { file: path, agent_id: agent.agent_id, ...defined({ tools_file: functions?.path }) }
    io.out(`${jsonText(written)}\n`)
  } else io.err(nextSteps(given.output, agent, functions, io))
}

function modelOf({ provider, model }: Options): string {
  const id = model ?? FIRST_MODELS[provider]
  if (id !== undefined) return id
  throw usageError(`no default model is known for the provider "${provider}"`, 'give a model id with --model')
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

/** The functions of the new tools. */
interface ToolsFile {
  readonly path: string
  /** As it is written on a command line. */
  readonly shown: string
  /** False if the file was there before; it is never replaced. */
  readonly isNew: boolean
}

/** Writes the module with the functions next to the definition, unless there is one. */
function writeTools(definition: string, output: string, { tools }: FirstAgent): ToolsFile | undefined {
  if (tools.length === 0) return undefined
  const path = join(dirname(definition), TOOLS_FILE)
  const isNew = !existsSync(path)
  const shown = join(dirname(output), TOOLS_FILE)
  if (isNew) write(path, firstToolsModule(tools), { output: shown })
  return { path, shown, isNew }
}

async function mayReplace(file: string, io: Io): Promise<boolean> {
  const { prompts, streams } = await openPrompts(io)
  const answer = await prompts.confirm({
    ...streams,
    message: `${plainLine(file)} already exists. Overwrite it?`,
    initialValue: false,
  })
  return answer === true
}

function namesIn(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((name) => name !== '')
}

async function askMissing(given: Options, io: Io): Promise<Options> {
  if (given.name !== undefined && given.goal !== undefined) return given
  const { prompts, streams } = await openPrompts(io)
  /** Returns an answer. @throws INTERRUPTED if the prompt was cancelled */
  const checked = <T>(answer: T): Exclude<T, symbol> => {
    if (typeof answer !== 'symbol') return answer as Exclude<T, symbol>
    throw new WaybillError('INTERRUPTED', {
      message: 'cancelled; no file was written',
      hint: 'run `waybill init` again to start over',
    })
  }
  const text = async (message: string, initialValue = ''): Promise<string> => {
    const answer = await prompts.text({
      ...streams,
      message,
      initialValue,
      validate: (value) => ((value ?? '').trim() === '' ? 'Required.' : undefined),
    })
    return checked(answer).trim()
  }
  const askTools = async (): Promise<readonly string[]> => {
    const answer = await prompts.text({
      ...streams,
      message: 'Tools that the agent may call? Names with spaces between them; empty for none.',
      validate: (value) => {
        const wrong = namesIn(value ?? '').find((tool) => !TOOL_NAME.test(tool))
        return wrong === undefined ? undefined : `${wrong}: use letters, digits, _ and -`
      },
    })
    return namesIn(checked(answer) ?? '')
  }
  const name = given.name ?? (await text('Name of the agent, such as Parcel clerk?'))
  const goal = given.goal ?? (await text('Goal of the agent, in one sentence?'))
  const provider = checked(
    await prompts.select({
      ...streams,
      message: 'Which model provider?',
      options: [...providerNames(), 'custom'].map((value) => ({ value, label: value })),
      initialValue: given.provider,
      maxItems: 8,
    }),
  )
  const model =
    given.model ?? (await text('Model id, as the provider writes it?', FIRST_MODELS[provider] ?? ''))
  const tool = given.tool ?? (await askTools())
  return { ...given, name, goal, provider, model, tool }
}

function nextSteps(file: string, { name }: FirstAgent, functions: ToolsFile | undefined, io: Io): string {
  const paint = painter(io.color)
  const shown = quoted(file)
  const steps = [
    `waybill validate ${shown}`,
    `waybill run ${shown} --rehearse --input "Hello"   dry run: needs no keys and no network`,
    `waybill plan ${shown}${functions === undefined ? '' : ` --tools ${quoted(functions.shown)}`}   shows what a real run needs`,
  ]
  const module =
    functions === undefined
      ? ''
      : functions.isNew
        ? `${paint('good', '✓')} ${plainLine(functions.shown)} was written; its functions fail until you write them\n`
        : `${paint('warn', '!')} ${plainLine(functions.shown)} is already there: add the functions to it\n`
  return `${paint('good', '✓')} ${plainLine(name)} was written to ${plainLine(file)}\n${module}${steps.map((step) => `  ${paint('accent', 'next')} ${step}\n`).join('')}`
}

function quoted(file: string): string {
  return /[^\w./-]/.test(file) ? `'${file}'` : file
}

function unusable(code: Code, message: string, hint: string): WaybillError {
  return new WaybillError(code, { fault: 'usage', message, hint })
}
