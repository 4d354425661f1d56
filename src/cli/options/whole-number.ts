import { InvalidArgumentError } from 'commander'

/** Parses the value of an option that counts something. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('it must be a whole number.')
  return Number(text)
}
