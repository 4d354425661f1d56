/** Returns an option as it is typed, by the name that the parser gives it: `--base-url` of `baseUrl`. */
export function optionName(member: string): string {
  return `--${member.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}
