import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readLogins } from '../../settings/logins.ts'
import type { Candidate, Place } from './candidate.ts'
import type { ListedKind } from './word-kinds.ts'

/** Returns the words that a kind of place may have. @throws the codes of the home */
export async function candidatesOf(kind: ListedKind, place: Place): Promise<readonly Candidate[]> {
  const { home } = place
  switch (kind) {
    case 'runs':
    case 'resumable':
    case 'running':
    case 'waiting':
      return (await import('./run-candidates.ts')).runCandidates(kind, place)
    case 'keys':
      return [...ownKeys(home), ...trustedKeys(home)]
    case 'own-keys':
      return ownKeys(home)
    case 'trusted-keys':
      return trustedKeys(home)
    case 'models':
      return (await import('./model-candidates.ts')).modelCandidates(place)
    case 'providers':
      return (await import('./model-candidates.ts')).providerCandidates()
    case 'servers':
      return servers(home)
    case 'platforms':
      return [...trustedKeys(home), ...servers(home)]
  }
}

/** The names of the files, since to read the keys takes time. */
function ownKeys(home: string): readonly Candidate[] {
  return namesIn(join(home, 'keys'), /\.key$/).map((word) => ({ word, text: 'own key' }))
}

function trustedKeys(home: string): readonly Candidate[] {
  return namesIn(join(home, 'trust'), /\.(?:ya?ml|json)$/).map((word) => ({ word, text: 'trusted key' }))
}

function namesIn(folder: string, ending: RegExp): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => ending.test(name))
    .map((name) => name.replace(ending, ''))
    .toSorted()
}

function servers(home: string): readonly Candidate[] {
  const { current, tokens } = readLogins(home)
  return Object.keys(tokens).map((word) => ({ word, text: word === current ? 'current server' : 'server' }))
}
