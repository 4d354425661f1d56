import type { CodeEntries } from './code-entry.ts'

export const STREAM_CODES = {
  STREAM_NOT_LINES: {
    meaning: 'The file does not have one JSON object on each line.',
    remedy: 'Save it as `.ndjson`.',
  },
  LINE_BLANK: {
    meaning: 'A line is empty.',
    remedy: 'Remove the line.',
  },
  LINE_TOO_LONG: {
    meaning: 'A line is longer than the limit allows.',
    remedy: 'Send the content in smaller chunks.',
  },
  LINE_NOT_OBJECT: {
    meaning: 'A line is not a JSON object.',
    remedy: 'Write `{"type": …}`.',
  },
  STREAM_NOT_BEGUN: {
    meaning: 'The first line is not `handoff_init`.',
    remedy: 'Send `handoff_init` first, with the migration token.',
  },
  STREAM_BEGUN_AGAIN: {
    meaning: 'The stream contains more than one `handoff_init`.',
    remedy: 'Begin a new stream for each handoff.',
  },
  CHUNK_OUT_OF_ORDER: {
    meaning: 'A chunk is missing, repeated or too early.',
    remedy: 'Number the chunks 0, 1, 2 and so on, each once.',
  },
  STREAM_NOT_ENDED: {
    meaning: 'The stream ends without `handoff_complete` or `handoff_error`.',
    remedy: 'Send the whole stream again: an incomplete stream is discarded.',
  },
  LINE_AFTER_COMPLETE: {
    meaning: 'Lines follow `handoff_complete`.',
    remedy: 'Send all lines before it.',
  },
  LINE_AFTER_ERROR: {
    meaning: 'Lines follow `handoff_error`; they are ignored.',
    remedy: 'Begin a new stream.',
  },
} satisfies CodeEntries
