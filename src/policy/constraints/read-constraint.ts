import type { ConstraintRule } from './constraint-rule.ts'

/**
 * One form of the grammar. `T` matches the name of a tool, `A` that of an argument, `N` a whole number, `Q` a quoted
 * text.
 */
interface Form {
  readonly pattern: RegExp
  /** Takes the groups of the pattern in their order; the text of a group that did not match is empty. */
  readonly read: (...groups: string[]) => ConstraintRule | null
  /** Valid examples, shown in the documentation. */
  readonly examples: readonly string[]
}

const T = '[`"\']?([A-Za-z_][\\w-]{0,63})[`"\']?'
const A = '[`"\']?([A-Za-z_][\\w.-]{0,63})[`"\']?'
const N = '(\\d{1,7}|one|two|three|four|five|six|seven|eight|nine|ten|once|twice)'
const Q = '["“\'`](.{1,500}?)["”\'`]'
const ANSWER = '(?:(?:all |every |each |your |the |its )?(?:answers?|replies|reply|responses?|output|text))'
const NEVER = "(?:never|do not|don't|must not|may not)"
const END = '\\s*[.!]?\\s*$'
const UNIT = '(characters?|chars?|words?|sentences?|lines?)'

const form = (pattern: string, read: Form['read'], ...examples: string[]): Form => ({
  pattern: new RegExp(`^\\s*${pattern}${END}`, 'i'),
  read,
  examples,
})

/**
 * The published grammar. Other sentences are not interpreted; a judge evaluates them. A form must match the whole
 * sentence, so that no part of it is ignored.
 */
export const CONSTRAINT_FORMS: readonly Form[] = [
  form(
    `(?:${ANSWER} (?:must |may )?(?:be|have|contain|use)|keep ${ANSWER}|limit ${ANSWER} to|answer in|reply in|write) (?:at most|no more than|under|below|within|up to|a maximum of|not more than) ${N} ${UNIT}(?: long| or less| or fewer)?`,
    lengthRule,
    'Answers must be at most 200 words',
    'Keep answers under 500 characters.',
  ),
  form(
    `${NEVER} (?:write|answer with|use|exceed|reply with) (?:more than )?${N} ${UNIT}(?: per answer)?`,
    lengthRule,
    'Never write more than three sentences.',
  ),
  form(
    `(?:${NEVER} (?:say|mention|write|use|include|reveal|output)|${ANSWER} (?:must not|may not|never) (?:contain|mention|include|say)) (?:the (?:word|words|phrase|text|name|term) )?${Q}`,
    (phrase) => phraseRule(phrase, false),
    'Never mention "Project Falcon".',
    'Answers must not contain the word "guarantee"',
  ),
  form(
    `(?:always (?:say|mention|write|include|add|end with)|${ANSWER} must (?:contain|include|mention)) (?:the (?:word|words|phrase|text|sentence) )?${Q}`,
    (phrase) => phraseRule(phrase, true),
    'Every answer must contain "This is not legal advice".',
  ),
  form(
    `(?:${ANSWER} must be|always answer (?:in|with)|answer only (?:in|with)|reply only (?:in|with)) (?:valid |a |one |a single )*(json|one line|line|lower ?case)(?: object| value| only)?`,
    formatRule,
    'Answers must be valid JSON',
    'Answer only in lower case',
  ),
  form(
    `(?:${NEVER} (?:use|include|write|output)|${ANSWER} must not (?:contain|use|include)) (?:any )?(markdown|links?|urls?)`,
    (word) => ({ kind: 'format', format: /markdown/i.test(word) ? 'no_markdown' : 'no_links' }),
    'Never use Markdown.',
    'Answers must not contain links',
  ),
  form(
    `${NEVER} (?:call|use|run|invoke) (?:the tool )?${T} (?:unless|before|until|without) (?:calling |having called |you have called |you called |you )?${T}(?: first| before| has (?:been called|succeeded|run)| was called(?: before| first)?)?`,
    (tool, first) => ({ kind: 'call_after', tool, first }),
    'Never call send_email unless approve_draft has succeeded.',
    'Do not use delete_record before backup_record',
  ),
  form(
    `(?:only call|call) ${T} (?:only )?after (?:calling )?${T}(?: has (?:been called|succeeded))?`,
    (tool, first) => ({ kind: 'call_after', tool, first }),
    'Call refund only after find_order.',
  ),
  form(
    `(?:${NEVER} call|call|use) (?:the tool )?${T} (?:more than|at most|no more than|not more than) ${N}(?: times?)?(?: (?:per|in a|in one|in each) run)?`,
    (tool, amount) => ({ kind: 'call_count', tool, max: count(amount) }),
    'Call search at most 5 times.',
    'Never call send_sms more than once per run.',
  ),
  form(
    `(?:only call|call|use) (?:the tool )?${T} (?:only )?(?:between|from) (\\d{1,2}):(\\d{2}) (?:and|to|until) (\\d{1,2}):(\\d{2})(?: UTC)?(,? (?:on|Monday to|Mon-|weekdays).{0,20})?`,
    timeRule,
    'Call book_meeting only between 09:00 and 17:00 UTC on weekdays.',
  ),
  form(
    `(?:${NEVER} (?:send|write|post|mail)(?: an? \\w+| \\w+)? to more than|at most) ${N} recipients?`,
    (amount) => ({ kind: 'items', tool: null, argument: 'to', max: count(amount) }),
    'Never send an email to more than 3 recipients.',
  ),
  form(
    `${NEVER} call ${T} with more than ${N} (?:items |values |entries )?(?:in )?${A}`,
    (tool, amount, argument) => ({ kind: 'items', tool, argument, max: count(amount) }),
    'Never call send_email with more than 5 to',
  ),
  form(
    `(?:only call|call|use) (?:the tool )?${T} (?:only )?(?:when|if|with) (?:its )?${A} (is|equals|starts with|begins with|ends with|ends in|ending in|is at most|at most|below) ${Q}`,
    argumentRule,
    'Call send_email only with to ending in "@ours.example".',
  ),
  form(
    `(?:only call|call|use) (?:the tool )?${T} (?:only )?(?:when|if|with) (?:its )?${A} (is at most|at most|below|under|up to) (-?\\d+(?:\\.\\d+)?)`,
    (tool, argument, _test, value) => argumentRule(tool, argument, 'at most', value),
    'Call refund only when amount is at most 50',
  ),
  form(
    `${NEVER} (?:call|run|invoke) (?:the tool )?${T}`,
    (tool) => ({ kind: 'never_call', tool }),
    'Never call delete_account.',
  ),
]

/**
 * Reads one constraint. A sentence that names a tool is a rule only if the agent has that tool: otherwise the word is
 * not the name of a tool.
 * @returns null if the sentence does not match the grammar
 */
export function readConstraint(text: string, tools: ReadonlySet<string>): ConstraintRule | null {
  if (text.length > 1000) return null
  for (const { pattern, read } of CONSTRAINT_FORMS) {
    const match = pattern.exec(text)
    const rule = match === null ? null : read(...match.slice(1).map((group) => group ?? ''))
    if (rule !== null && toolsOf(rule).every((tool) => tools.has(tool))) return rule
  }
  return null
}

function toolsOf(rule: ConstraintRule): readonly string[] {
  if (rule.kind === 'call_after') return [rule.tool, rule.first]
  return 'tool' in rule && rule.tool !== null ? [rule.tool] : []
}

const WORDS: ReadonlyMap<string, number> = new Map([
  ['once', 1],
  ['twice', 2],
  ['one', 1],
  ['two', 2],
  ['three', 3],
  ['four', 4],
  ['five', 5],
  ['six', 6],
  ['seven', 7],
  ['eight', 8],
  ['nine', 9],
  ['ten', 10],
])

/** Returns the number that `N` stands for. */
function count(text: string): number {
  return WORDS.get(text.toLowerCase()) ?? Number(text)
}

function lengthRule(amount: string, unit: string): ConstraintRule {
  const first = unit.toLowerCase().charAt(0)
  return {
    kind: 'length',
    max: count(amount),
    unit: first === 'w' ? 'words' : first === 's' ? 'sentences' : first === 'l' ? 'lines' : 'characters',
  }
}

function phraseRule(phrase: string, must: boolean): ConstraintRule | null {
  return phrase.trim() === '' ? null : { kind: 'contains', phrase, must }
}

function formatRule(word: string): ConstraintRule {
  const format = word.toLowerCase()
  return {
    kind: 'format',
    format: format === 'json' ? 'json' : format.includes('line') ? 'one_line' : 'lower_case',
  }
}

function timeRule(
  tool: string,
  h1: string,
  m1: string,
  h2: string,
  m2: string,
  days: string,
): ConstraintRule | null {
  const from = Number(h1) * 60 + Number(m1)
  const to = Number(h2) * 60 + Number(m2)
  if (from > 1440 || to > 1440 || Number(m1) > 59 || Number(m2) > 59) return null
  if (days !== '' && !/weekday|monday to friday|mon-fri/i.test(days)) return null
  return { kind: 'call_time', tool, from, to, weekdays: days !== '' }
}

function argumentRule(tool: string, argument: string, test: string, value: string): ConstraintRule | null {
  const word = test.toLowerCase()
  const kind = /start|begin/.test(word)
    ? 'starts'
    : /end/.test(word)
      ? 'ends'
      : /most|below/.test(word)
        ? 'below'
        : 'is'
  if (kind === 'below' && !Number.isFinite(Number(value))) return null
  return { kind: 'argument', tool, argument, test: kind, value }
}
