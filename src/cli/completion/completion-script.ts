import { bashScript } from './bash-script.ts'
import type { CompletionWords } from './completion-words.ts'
import { fishScript } from './fish-script.ts'
import { zshScript } from './zsh-script.ts'

/** Returns the script that teaches a shell the words of `waybill`. */
export function completionScript(shell: 'bash' | 'zsh' | 'fish', words: readonly CompletionWords[]): string {
  switch (shell) {
    case 'bash':
      return bashScript(words)
    case 'zsh':
      return zshScript(words)
    case 'fish':
      return fishScript(words)
  }
}
