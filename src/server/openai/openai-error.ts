import type { WaybillError } from '../../document/issue.ts'
import { statusOfError } from '../../http/status-of-code.ts'
import type { RunView } from '../../platform/records/run-view.ts'
import { platformHint } from '../../policy/hints/platform-words.ts'
import type { Door } from '../door.ts'

const ONLY = 'only GET /models and POST /chat/completions exist: agents answer as chat completions'

/** An error as clients of the OpenAI API read it. */
export interface OpenAiError {
  readonly status: number
  readonly body: {
    readonly error: {
      readonly message: string
      readonly type: string
      readonly param: string | null
      readonly code: string
    }
  }
  /** Official clients repeat a request after statuses from 500 on, unless this is false. */
  readonly retry?: false
}

/** Returns an error in the form of the OpenAI API. The code is ours, except where clients look for one of theirs. */
export function openAiErrorOf(error: WaybillError): OpenAiError {
  const status = statusOfError(error)
  const { message, hint, at, issues } = error.details
  const [issue] = issues ?? []
  const text = issue === undefined ? message : `${message}: ${issue.message}`
  const way = error.code === 'ROUTE_NOT_FOUND' ? ONLY : hint
  return {
    // Their API answers every wrong body with 400.
    status: status === 422 ? 400 : status,
    body: {
      error: {
        message: way === undefined ? text : `${text}; ${platformHint(way)}`,
        type: typeOf(status),
        param: paramOf(at ?? issue?.pointer),
        code: codeOf(error.code),
      },
    },
  }
}

/** Where clients of the OpenAI API connect: official clients show only errors in the form of their API. */
export const OPENAI_DOOR: Door = {
  prefix: '/openai/v1',
  failed(error) {
    const { status, body } = openAiErrorOf(error)
    return { status, mediaType: 'application/json; charset=utf-8', body: JSON.stringify(body) }
  },
}

/** Returns the error of a run that ended without an answer. */
export function runError(run: RunView): OpenAiError {
  const { code = 'RUN_FAILED', message = `the run ended as ${run.status}` } = run.error ?? {}
  const isRefusal = run.status === 'refused'
  return {
    status: isRefusal ? 400 : 502,
    body: {
      error: {
        message: `${message} (run ${run.run_id})`,
        type: isRefusal ? 'invalid_request_error' : 'server_error',
        param: null,
        code,
      },
    },
    // The same request is the same run for a while, so it would give the same error.
    retry: false,
  }
}

/** Returns the answer to a client that waited too long: it repeats the request, and finds the same run. */
export function stillRunning(runId: string): OpenAiError {
  return {
    status: 504,
    body: {
      error: {
        message: `the run ${runId} has not ended yet; send the same request again to wait for it`,
        type: 'server_error',
        param: null,
        code: 'RUN_UNFINISHED',
      },
    },
  }
}

function typeOf(status: number): string {
  if (status === 401) return 'authentication_error'
  if (status === 403) return 'permission_error'
  if (status === 402) return 'insufficient_quota'
  if (status === 429) return 'rate_limit_error'
  return status >= 500 ? 'server_error' : 'invalid_request_error'
}

function codeOf(code: string): string {
  if (code === 'AGENT_NOT_FOUND') return 'model_not_found'
  return code === 'TOKEN_REFUSED' ? 'invalid_api_key' : code
}

/** Returns a JSON Pointer as their API writes places: `messages.0.content`. */
function paramOf(pointer: string | undefined): string | null {
  if (pointer === undefined || pointer === '') return null
  return pointer.slice(1).replaceAll('/', '.')
}
