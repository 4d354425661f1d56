import type { CallRule } from '../../policy/approval/call-rule.ts'
import type { PastCall, RulePreview } from '../../session/preview-rule.ts'
import { count } from '../terminal/amounts.ts'
import type { Paint } from '../terminal/paint.ts'
import { argumentsLine, plainLine } from '../terminal/plain-text.ts'

/** Returns the preview as text: the number of past calls that match, and examples. */
export function previewText(rule: CallRule, preview: RulePreview, paint: Paint): string {
  const { runs, calls, covered, denied, covered_calls, other_calls } = preview
  if (calls === 0)
    return `  ${rule.tool} has not been called in ${runs === 0 ? 'any recorded run' : `the ${count(runs, 'recorded run')}`}, so there is no example of the effect of the rule\n`
  const lineOf = ({ at, arguments: args, decided, why_not }: PastCall) => {
    const note =
      decided?.verdict === 'deny' ? paint('bad', ` was denied by ${plainLine(decided.by, 40)}`) : ''
    const why = why_not === undefined ? '' : paint('faint', `  ${plainLine(why_not, 100)}`)
    return `    ${paint('faint', at.slice(0, 16).replace('T', ' '))}  ${argumentsLine(args, 80)}${note}${why}\n`
  }
  const listed = (title: string, all: number, some: readonly PastCall[]) =>
    all === 0
      ? ''
      : `  ${title}\n${some.map(lineOf).join('')}${all > some.length ? `    and ${all - some.length} more\n` : ''}`
  return [
    listed(`${count(covered, 'call')} of ${calls} recorded would need no approval:`, covered, covered_calls),
    listed(`${count(calls - covered, 'call')} would still need approval:`, calls - covered, other_calls),
    denied > 0
      ? `  ${paint('warn', '!')} ${denied === 1 ? 'one of them was' : `${denied} of them were`} denied by a person\n`
      : '',
  ].join('')
}
