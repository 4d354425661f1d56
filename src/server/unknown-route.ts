import type { FastifyRequest } from 'fastify'
import { WaybillError } from '../document/issue.ts'
import type { Route } from './route.ts'

/** Returns the error for a path that the server has with other methods, and those; undefined for an unknown path. */
export function methodNotAllowed(
  routes: readonly Route[],
  { method, url }: FastifyRequest,
): { readonly error: WaybillError; readonly methods: readonly string[] } | undefined {
  const [path = ''] = url.split('?')
  const found = routes.filter((route) => matches(route.path, path)).map((route) => route.method)
  if (found.length === 0) return undefined
  const methods = [...new Set(found.flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name])))].sort()
  const error = new WaybillError('METHOD_NOT_ALLOWED', {
    fault: 'usage',
    message: `this path does not support ${method}`,
    hint: `use ${methods.join(', ')}`,
  })
  return { error, methods }
}

export function routeNotFound({ method }: FastifyRequest): WaybillError {
  return new WaybillError('ROUTE_NOT_FOUND', {
    fault: 'usage',
    message: `the server has no such path for ${method}`,
    hint: '/openapi.json lists the paths',
  })
}

/** Compares a path with that of a route, step by step. A parameter matches every step that is not empty. */
function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/')
  const steps = path.split('/')
  return (
    wanted.length === steps.length &&
    wanted.every((step, index) => (step.startsWith('{') ? steps[index] !== '' : step === steps[index]))
  )
}
