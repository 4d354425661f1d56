// A provider of models with an API of its own: POST /chat { model, system, messages, tools } → { say } or { call, args }.
import { ModelFailure, type ModelProviderExtension } from 'waybill/ports'

interface Said {
  readonly say?: string
  readonly call?: {
    readonly id: string
    readonly tool: string
    readonly args: { readonly [name: string]: string }
  }
  readonly tokens: { readonly read: number; readonly written: number }
}

export const parrot: ModelProviderExtension = {
  // Its key, WAYBILL_KEY_PARROT, goes here and nowhere else.
  baseUrl: process.env.PARROT_URL ?? 'http://127.0.0.1:8123',

  open({ fetch, key }) {
    return {
      async ask({ plan, route, messages }, { signal, onText }) {
        const tools = plan.tools
          .filter(({ gate }) => gate !== 'deny')
          .map(({ name, description, parameters_schema }) => ({ name, description, parameters_schema }))
        const body = JSON.stringify({ model: route.model, system: plan.system_prompt, messages, tools })
        const headers = { 'content-type': 'application/json', 'x-parrot-key': (await key(route)) ?? '' }
        const response = await fetch(`${route.base_url}/chat`, { method: 'POST', signal, headers, body })
        if (!response.ok)
          throw new ModelFailure(
            response.status === 429 ? 'rate_limited' : response.status < 500 ? 'route' : 'unavailable',
            'MODEL_UNAVAILABLE',
            `the parrot answered ${response.status}`,
          )
        const { say = '', call, tokens } = (await response.json()) as Said
        if (say !== '') onText?.(say)
        return {
          message: { role: 'assistant', text: say, calls: call === undefined ? [] : [call] },
          finish: call === undefined ? 'stop' : 'tool_calls',
          usage: { input_tokens: tokens.read, output_tokens: tokens.written },
          warnings: [],
        }
      },
    }
  },
}
