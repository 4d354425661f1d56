import { defined } from '../document/defined.ts'
import { type ErrorPart, WaybillError } from '../document/issue.ts'
import { machineFault } from '../document/machine-fault.ts'
import type { Plan } from '../plan/plan.ts'
import type { RunResult } from '../run/result.ts'

/** A value in a hint: up to the end of the sentence, without its punctuation. */
const VALUE = '([^\\s;,)?]+)'

/** The words of the library by those of the command line. The first that fits is replaced first. */
const WORDS: readonly (readonly [words: RegExp, own: string])[] = [
  // Sentences that name the configuration too, which the library does not read.
  [
    new RegExp(`(?:in the config \\(secrets\\) or )?with --allow-secret ${VALUE}`, 'g'),
    "with allowSecrets: ['$1']",
  ],
  [/--budget (\w+)=N, or budget\.\w+ in the configuration/g, 'budget: { $1: N }'],
  [/--budget (\w+)=N/g, 'budget: { $1: N }'],
  [/give this address with --base-url, or add it to \S+ in the config/g, 'give this address with baseUrl'],
  [/--schema (\S+)=(?:FILE|(\S+)), or "schemas" in the configuration/g, "schemas: { '$1': 'FILE' }"],
  [/use --schema URL=FILE, such as --schema ([^\s=]+)=([^\s;]+);/g, "use schemas: { '$1': '$2' };"],
  [/given with --schema, or under "schemas" in the configuration or the options/g, 'in the option schemas'],
  [
    /add an extension that supports it to the config \(extensions\)/g,
    'pass an extension in the option extensions',
  ],
  [/add its module to the config \(extensions\), or pass it/g, 'pass it'],
  [/\(--agents DIR\)/g, '(the options agents or folder)'],
  [/export it from the module given with --tools/g, 'pass it in the option tools'],
  [/export it in "hooks" of the module given with --tools/g, 'pass it in the option hooks'],
  [/add the module that exports them: --tools FILE/g, 'pass them in the options tools and hooks'],
  [/the module exports (\w+)/g, 'the option tools has $1'],
  [/use --detach to get its id at once/g, 'startRun returns its id at once'],
  [/a background run \(--detach\)/g, 'a background run'],
  [/no answer within (.*) s; a run and `plan --out` wait longer/g, 'no answer within $1 s'],
  [/raise the limit \(--max-bytes\)/g, 'raise the limit (maxBytes)'],
  [new RegExp(`--judge ${VALUE}`, 'g'), "judge: '$1'"],
  [/use --batch for a list of inputs/g, 'use runBatch for a list of inputs'],
  [/start it without --no-wait/g, 'start it without wait: false'],
  [/e\.g\. --input @\S+/g, 'not as text'],
  [/set WAYBILL_HOME to/g, 'set the option home to'],
  [/with WAYBILL_HOME/g, 'with the option home'],
  [
    /set it with `export (\w+)=YOUR_KEY`, or in a file of NAME=value lines with --env-file \S+/g,
    "set the environment variable $1, or pass it with the option env: { $1: 'YOUR_KEY' }",
  ],
  // Commands that are functions here.
  [/`waybill validate[^`]*` shows all problems/g, '`error.issues` lists all problems'],
  [/`waybill plan [^`]*--out FILE` writes a plan/g, 'or pass the result of reviewPlan()'],
  [/`waybill plan [^`]*--out FILE`/g, 'reviewPlan()'],
  [/`waybill plan --out`/g, 'reviewPlan()'],
  [/`waybill plan`/g, 'planRun()'],
  [/`waybill approvals list`/g, 'listApprovals()'],
  [
    /`waybill approvals answer`; to decline, add `--decline`, or deny it/g,
    "decideApproval() with the verdict 'answer'; 'deny' declines",
  ],
  [/`waybill runs list`/g, 'listRuns()'],
  [/`waybill runs (?:show|events)(?: [^`]*)?`/g, 'readRun()'],
  [/`waybill resume(?: [^`]*)?`/g, 'resume()'],
  [/`waybill run`/g, 'run()'],
  [/`waybill condition[^`]*`/g, 'evaluateCondition of waybill/condition'],
  // Flags.
  [new RegExp(`--allow-host ${VALUE}`, 'g'), "allowHosts: ['$1']"],
  [/--yes ("[^"]*"|[^\s;,)]+)/g, 'allowCalls: [$1]'],
  [new RegExp(`--model ${VALUE}`, 'g'), "model: '$1'"],
  [/--base-url (URL|https?:[^\s;,)]+)/g, "baseUrl: '$1'"],
  [/--base-url/g, 'baseUrl'],
  [/--env-file \S+/g, 'the option env'],
  [/--rehearse/g, 'rehearse: true'],
  [/--allow-deprecated/g, 'allowDeprecated: true'],
  [/--user( \w+)?/g, 'the option user'],
  [/--session( \w+)?/g, 'the option session'],
  [/ on the command line/g, ''],
]

/** Returns a message or hint in the words of the library: options and functions instead of flags and commands. */
export function optionHint(text: string): string {
  return WORDS.reduce((all, [words, own]) => all.replace(words, own), text)
}

/** Returns a result whose messages and hints name options. */
export function withOptionHint(result: RunResult): RunResult {
  const { error, warnings } = result
  return {
    ...result,
    warnings: warnings.map(inWords),
    ...(error !== undefined && { error: errorInWords(error) }),
  }
}

function errorInWords<T extends ErrorPart & { readonly details?: readonly ErrorPart[] }>(error: T): T {
  return { ...inWords(error), ...defined({ details: error.details?.map(inWords) }) }
}

interface Texts {
  readonly message?: string
  readonly hint?: string
  readonly reason?: string
}

/** Returns the part with its texts in the words of the library. */
export function inWords<T extends Texts>(part: T): T {
  const { message, hint, reason } = part
  return {
    ...part,
    ...(message !== undefined && { message: optionHint(message) }),
    ...(hint !== undefined && { hint: optionHint(hint) }),
    ...(reason !== undefined && { reason: optionHint(reason) }),
  }
}

/** Returns a plan whose reasons and hints name options. */
export function withOptionHints(plan: Plan): Plan {
  return {
    ...plan,
    models: plan.models.map(inWords),
    tools: plan.tools.map(inWords),
    subagents: plan.subagents.map(inWords),
    memory: plan.memory.map(inWords),
    degradations: plan.degradations.map(inWords),
    refusals: plan.refusals.map(inWords),
    ...defined({ triggers: plan.triggers?.map(inWords) }),
  }
}

/**
 * Calls `act`; its errors name options. A fault of the machine, such as a full disk, has the code that it has on the
 * command line.
 * @param faultOf returns the error for a fault of the machine, or null
 */
export async function inOptions<T>(
  act: () => T | Promise<T>,
  faultOf: (error: unknown) => WaybillError | null = machineFault,
): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw inWordsOf(error instanceof WaybillError ? error : (faultOf(error) ?? error))
  }
}

/** Returns an error in the words of the library; one that is not ours is returned as it is. */
export function inWordsOf(error: unknown): unknown {
  return error instanceof WaybillError ? errorInOptions(error) : error
}

/** Returns an error in the words of the library; the same one, with its stack, if it has them. */
function errorInOptions(error: WaybillError): WaybillError {
  const { code, fault, details } = error
  const { issues } = details
  const texts = [details, ...(issues ?? [])].flatMap(({ message, hint = '' }) => [message, hint])
  if (texts.every((text) => optionHint(text) === text)) return error
  return new WaybillError(code, {
    ...inWords(details),
    fault,
    ...defined({ issues: issues?.map(inWords) }),
    cause: error.cause,
  })
}
