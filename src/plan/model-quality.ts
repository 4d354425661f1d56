import { ownMember } from '../document/own-member.ts'

/**
 * Ranks of models: rounded ratings of Arena's text leaderboard, category hard prompts with style control, from its public
 * catalogue (github.com/lmarena/arena-catalog, data/leaderboard-text-style-control.json), December 2025. Contains only
 * model families that providers still offer; for several settings of one model, the setting without extra thinking. The
 * configuration of the operator (`quality`) takes precedence.
 */
const RATINGS: Readonly<Record<string, number>> = {
  'gemini-3-pro': 1504,
  'claude-opus-4-5': 1495,
  'grok-4-1': 1475,
  'claude-sonnet-4-5': 1472,
  'claude-opus-4-1': 1471,
  'gemini-2-5-pro': 1463,
  'qwen-3-max': 1456,
  'gpt-5-1': 1454,
  'chatgpt-4o-latest': 1451,
  'gpt-5': 1449,
  'qwen-3-235b-a-22b': 1448,
  'kimi-k-2-thinking': 1447,
  'gpt-5-chat': 1446,
  'glm-4-6': 1442,
  'grok-4-1-fast': 1440,
  'o-3': 1440,
  'mistral-large-3': 1438,
  'gpt-4-5': 1437,
  'deepseek-v-3-2': 1436,
  'claude-haiku-4-5': 1434,
  'kimi-k-2': 1433,
  'claude-opus-4': 1433,
  'deepseek-r-1': 1431,
  'mistral-medium-2508': 1431,
  'mistral-medium-latest': 1431,
  'glm-4-5': 1431,
  'deepseek-v-3-1': 1431,
  'gpt-4-1': 1428,
  'grok-3': 1422,
  'qwen-3-next-80b': 1421,
  'grok-4': 1417,
  'o-1': 1415,
  'claude-sonnet-4': 1415,
  'gemini-2-5-flash': 1414,
  'qwen-3-coder-480b': 1410,
  'grok-4-fast': 1410,
  'qwen-3-30b-a-3b': 1405,
  'gpt-5-mini': 1405,
  'deepseek-v-3': 1404,
  'deepseek-chat': 1436,
  'deepseek-reasoner': 1432,
  'o-4-mini': 1404,
  'gpt-4-1-mini': 1399,
  'mistral-medium-2505': 1397,
  'claude-3-5-sonnet': 1396,
  'claude-3-7-sonnet': 1395,
  'gemini-2-5-flash-lite': 1390,
  'glm-4-5-air': 1389,
  'minimax-m-1': 1381,
  'grok-3-mini': 1375,
  'mistral-small-2506': 1371,
  'mistral-small-latest': 1371,
  'o-3-mini': 1368,
  'minimax-m-2': 1365,
  'command-a': 1365,
  'gemma-3-27b': 1364,
  'qwen-3-32b': 1363,
  'nova-2-lite': 1362,
  'gpt-oss-120b': 1359,
  'gemini-2-0-flash': 1359,
  'o-1-mini': 1357,
  'qwq-32b': 1354,
  'gpt-5-nano': 1353,
  'gemini-1-5-pro': 1349,
  'gemini-2-0-flash-lite': 1347,
  'claude-3-5-haiku': 1341,
  'llama-3-1-405b': 1339,
  'llama-4-maverick': 1337,
  'gpt-4o': 1335,
  'magistral-medium': 1331,
  'gemma-3-12b': 1330,
  'gpt-4-1-nano': 1329,
  'llama-4-scout': 1327,
  'claude-3-opus': 1326,
  'grok-2': 1323,
  'gpt-oss-20b': 1322,
  'llama-3-3-70b': 1319,
  'mistral-small-3-1': 1318,
  'mistral-large-2407': 1317,
  'qwen-2-5-72b': 1314,
  'gpt-4-turbo': 1313,
  'mistral-large-2411': 1310,
  'mistral-large-latest': 1438,
  'gpt-4o-mini': 1308,
  'gemini-1-5-flash': 1301,
  'nova-pro': 1299,
  'llama-3-1-70b': 1296,
  'gpt-4': 1285,
  'gemma-3-4b': 1282,
  'phi-4': 1275,
  'nova-lite': 1269,
  'claude-3-haiku': 1262,
  'command-r-plus': 1258,
  'command-r': 1254,
  'ministral-8b': 1248,
  'nova-micro': 1242,
  'mixtral-8x-22b': 1241,
  'gpt-3-5-turbo': 1225,
  'llama-3-1-8b': 1220,
  'mixtral-8x-7b': 1208,
  'llama-3-2-3b': 1166,
  'llama-3-2-1b': 1112,
}

/** Suffixes of a family name that mark a smaller model, to which the rating does not apply. */
const SMALLER = /-(mini|nano|lite|micro|small|fast|air|flash)(-|$)/

/** A version after a family name; a date does not match. */
const VERSION = /^-\d{1,2}(-|$)/

/**
 * Returns the rank of a model, higher is better, or undefined if it is unknown. An unlisted model gets the rank of the
 * listed family that its name begins with; an unknown version gets the best known rank of its family.
 * @param overrides ranks of the operator, by `provider/model` or by model name, with `*` for any text
 */
export function qualityOf(
  provider: string,
  model: string,
  overrides: Readonly<Record<string, number>> = {},
): number | undefined {
  for (const [pattern, score] of Object.entries(overrides)) {
    if (matches(pattern, `${provider}/${model}`) || matches(pattern, model)) return score
  }
  const name = normalized(model)
  for (let end = name.length; end > 0; end = name.lastIndexOf('-', end - 1)) {
    const line = name.slice(0, end)
    if (Object.hasOwn(RATINGS, line)) return ratingOf(line, name.slice(end))
  }
  return undefined
}

function ratingOf(line: string, rest: string): number | undefined {
  if (SMALLER.test(rest)) return undefined
  if (!VERSION.test(rest)) return ownMember(RATINGS, line)
  const versions = Object.entries(RATINGS).filter(
    ([name]) => name.startsWith(line) && /^(-\d{1,2})?$/.test(name.slice(line.length)),
  )
  return Math.max(...versions.map(([, rating]) => rating))
}

/** Returns the value of the first matching pattern. A pattern without `*` matches the exact name. */
function matches(pattern: string, name: string): boolean {
  const [head = '', ...parts] = pattern.split('*')
  if (parts.length === 0) return pattern === name
  const tail = parts.pop() ?? ''
  if (!name.startsWith(head) || name.length < head.length + tail.length || !name.endsWith(tail)) return false
  let at = head.length
  for (const part of parts) {
    const found = name.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= name.length - tail.length
}

/** Normalizes a model name: `meta-llama/Llama-3.3-70B`, `llama3.3:70b` and `llama-3-3-70b` become equal. */
function normalized(model: string): string {
  return model
    .slice(model.lastIndexOf('/') + 1)
    .toLowerCase()
    .replaceAll(/[._:\s]/g, '-')
    .replaceAll(/([a-z])(?=\d)/g, '$1-')
}
