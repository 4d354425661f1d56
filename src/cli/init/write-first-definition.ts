import { existsSync, writeFileSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import { v4 as uuidv4 } from 'uuid'
import type { Code } from '../../document/codes.ts'
import { WaybillError } from '../../document/issue.ts'
import { whyUnreadable } from '../../document/why-unreadable.ts'
import { type Io, isInteractive } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { painter } from '../terminal/paint.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { openPrompts } from '../terminal/prompts.ts'
import { usageError } from '../usage-error.ts'
import { type FirstAgent, firstDefinition, firstDefinitionYaml } from './first-definition.ts'

interface Options {
  readonly name?: string
  readonly goal?: string
  readonly provider: string
  readonly model?: string
  readonly tool?: readonly string[]
  readonly output: string
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
  }
  const text =
    extension === '.json'
      ? `${JSON.stringify(firstDefinition(agent), null, 2)}\n`
      : firstDefinitionYaml(agent)
  write(path, text, given)
  if (json) io.out(`${jsonText({ file: path, agent_id: agent.agent_id })}\n`)
  else io.err(nextSteps(given.output, agent, io))
}

function modelOf({ provider, model }: Options): string {
  const id = model ?? FIRST_MODELS[provider]
  if (id !== undefined) return id
  throw usageError(`no default model is known for the provider "${provider}"`, 'give a model id with --model')
}

function write(path: string, text: string, { output, force }: Options): void {
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

async function mayReplace(file: string, io: Io): Promise<boolean> {
  const { prompts, streams } = await openPrompts(io)
  const answer = await prompts.confirm({
    ...streams,
    message: `${plainLine(file)} already exists. Overwrite it?`,
    initialValue: false,
  })
  return answer === true
}

async function askMissing(given: Options, io: Io): Promise<Options> {
  if (given.name !== undefined && given.goal !== undefined) return given
  const { prompts, streams } = await openPrompts(io)
  const text = async (message: string, placeholder: string, initialValue = ''): Promise<string> => {
    const answer = await prompts.text({
      ...streams,
      message,
      placeholder,
      initialValue,
      validate: (value) => ((value ?? '').trim() === '' ? 'Required.' : undefined),
    })
    if (!prompts.isCancel(answer)) return answer.trim()
    throw new WaybillError('INTERRUPTED', {
      message: 'cancelled; no file was written',
      hint: 'run `waybill init` again to start over',
    })
  }
  const name = given.name ?? (await text('Name of the agent?', 'Parcel clerk'))
  const goal =
    given.goal ?? (await text('Goal of the agent, in one sentence?', 'Answer questions about parcels.'))
  const provider = await text('Model provider?', 'openai', given.provider)
  const model =
    given.model ?? (await text('Model id?', 'as the provider writes it', FIRST_MODELS[provider] ?? ''))
  return { ...given, name, goal, provider, model }
}

function nextSteps(file: string, { tools, name }: FirstAgent, io: Io): string {
  const paint = painter(io.color)
  const shown = /[^\w./-]/.test(file) ? `'${file}'` : file
  const steps = [
    `waybill validate ${shown}`,
    `waybill run ${shown} --rehearse --input "Hello"   dry run: needs no keys and no network`,
    `waybill plan ${shown}${tools.length > 0 ? ' --tools tools.mjs' : ''}   shows what a real run needs`,
  ]
  return `${paint('good', '✓')} ${plainLine(name)} was written to ${plainLine(file)}\n${steps.map((step) => `  ${paint('accent', 'next')} ${step}\n`).join('')}`
}

function unusable(code: Code, message: string, hint: string): WaybillError {
  return new WaybillError(code, { fault: 'usage', message, hint })
}
