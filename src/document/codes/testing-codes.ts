import type { CodeEntries } from './code-entry.ts'

export const TESTING_CODES = {
  EXAMPLE_IMPOSSIBLE: {
    meaning: 'No example value could be generated for a schema; the schema may allow none.',
    remedy: 'Give the schema `examples` or a `default`.',
  },
  SCRIPT_EXHAUSTED: {
    meaning: 'The scripted model received more requests than its script has answers.',
    remedy: 'Look at the run, or add an answer.',
  },
  SCRIPT_EXPECTATION: {
    meaning: 'The request to the scripted model does not match the expectation of the script.',
    remedy: 'Compare the message with the script.',
  },
  SCRIPT_UNFINISHED: {
    meaning: 'The run ended before all answers of the script were used.',
    remedy: 'Look at why the run ended.',
  },
} satisfies CodeEntries
