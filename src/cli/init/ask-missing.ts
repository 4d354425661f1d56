import { openSecrets } from '../../compose/open-secrets.ts'
import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import type { Io } from '../io.ts'
import { chooseDeliberately, confirmDeliberately } from '../terminal/choose-deliberately.ts'
import { plainLine } from '../terminal/plain-text.ts'
import { openPrompts } from '../terminal/prompts.ts'
import { CUSTOM } from './first-definition.ts'
import { firstModel, providerChoices } from './first-models.ts'
import { isToolName } from './tool-name.ts'

/** What a person answers; a member that is given is not asked. */
export interface Answers {
  readonly name?: string
  readonly goal?: string
  readonly provider?: string
  readonly model?: string
  readonly baseUrl?: string
  readonly tool?: readonly string[]
  readonly approval?: boolean
}

const CANCELLED = Symbol('cancelled')

const YES_OR_NO = [
  { value: true, label: 'Yes' },
  { value: false, label: 'No' },
]

type Asked<Given> = Given & Required<Pick<Answers, 'name' | 'goal'>>

/**
 * Asks for each value that is not given. Does not ask if the name and the goal are given.
 * @throws INTERRUPTED if a prompt was cancelled
 */
export async function askMissing<Given extends Answers>(given: Given, io: Io): Promise<Given | Asked<Given>> {
  if (given.name !== undefined && given.goal !== undefined) return given
  const { prompts, streams } = await openPrompts(io)
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
  const askProvider = async (): Promise<string> => {
    const choices = await providerChoices(openSecrets(io.env))
    const options = choices.map(({ value, hint }) => ({ value, label: `${value} (${hint})` }))
    return checked(
      await prompts.select({ ...streams, message: 'Which model provider?', options, maxItems: 8 }),
    )
  }
  const askTools = async (): Promise<readonly string[]> => {
    const answer = await prompts.text({
      ...streams,
      message: 'Tools that the agent may call? Names with spaces between them; empty for none.',
      validate: (value) => {
        const wrong = namesIn(value ?? '').find((tool) => !isToolName(tool))
        return wrong === undefined ? undefined : `${wrong}: use letters, digits, _ and -`
      },
    })
    return namesIn(checked(answer) ?? '')
  }
  const askApproval = async (): Promise<boolean> => {
    const message = 'Must a person approve each call of a tool that writes?'
    return checked((await chooseDeliberately({ message, options: YES_OR_NO, safe: true }, io)) ?? CANCELLED)
  }
  const name = given.name ?? (await text('Name of the agent, such as Parcel clerk?'))
  const goal = given.goal ?? (await text('Goal of the agent, in one sentence?'))
  const provider = given.provider ?? (await askProvider())
  const baseUrl =
    given.baseUrl ??
    (provider === CUSTOM
      ? await text(
          'Base URL of the API, which must be compatible with that of OpenAI?',
          'http://127.0.0.1:8000/v1',
        )
      : undefined)
  const model = given.model ?? (await text('Model id, as the provider writes it?', firstModel(provider)))
  const tool = given.tool ?? (await askTools())
  const approval = given.approval ?? (tool.length > 0 && (await askApproval()))
  return { ...given, name, goal, provider, model, tool, approval, ...defined({ baseUrl }) }
}

/** Asks whether to replace a file. */
export async function mayReplace(file: string, io: Io): Promise<boolean> {
  return confirmDeliberately(`${plainLine(file)} already exists. Overwrite it?`, io)
}

function namesIn(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((name) => name !== '')
}
