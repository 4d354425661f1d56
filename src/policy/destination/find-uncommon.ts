import type { Found } from './found.ts'

const WORD = String.raw`[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}`
const DOTTED = String.raw`(?:[\p{L}\p{N}-]{1,63}\.){1,10}[\p{L}]{2,63}`

/**
 * Destinations that few programs read, and that are also ordinary text: each counts only where it is alone. The repeated
 * parts are bounded, so the time is linear.
 */
const UNCOMMON = new RegExp(
  String.raw`(?<![\p{L}\p{N}.!%_-])(?:${[
    // A route of UUCP: `evil!eve`; and a route in a local part without its relay: `eve%evil.example`.
    String.raw`${WORD}(?:!${WORD}){1,10}(?![\p{L}\p{N}=!])`,
    `${WORD}%${DOTTED}`,
    // A host before its path, as `scp` and `rsync` read it.
    String.raw`${DOTTED}::?(?=[\p{L}_~])[^\s:,;]{1,256}`,
    `!${WORD}:${DOTTED}`,
    String.raw`(?:arn:[a-z-]{1,20}|did:[a-z0-9]{1,20}):[^\s,;]{1,256}`,
    String.raw`${WORD}\s?[([{<]\s?at\s?[)\]}>]\s?${WORD}`,
    // Accounts of block chains and their networks.
    String.raw`0x[0-9a-f]{40}(?![0-9a-f])|(?:bc1|tb1|ltc1|npub1)[02-9ac-hj-np-z]{25,90}(?![\p{L}\p{N}])`,
  ].join('|')})`,
  'gu',
)

/** Finds uncommon forms of destinations. @param text with addresses and URLs masked, in lower case */
export function findUncommon(text: string): readonly Found[] {
  return [...text.matchAll(UNCOMMON)].map(
    ({ 0: key, index }): Found => ({
      start: index,
      end: index + key.length,
      key,
      kind: 'unclear',
      counts: 'alone',
    }),
  )
}
