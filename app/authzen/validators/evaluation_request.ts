import { ValidationError } from '#core/exceptions/problems'
import type { JsonObject } from '#app/permissions/conditions/condition_variables'
import {
  type AccessRequest,
  type Batch,
  type RefusedRequest,
  SEMANTICS,
  type Semantic,
} from '#app/authzen/values/access_request'
import { AuthzenRequest, isAbsent, isObject } from '#app/authzen/validators/authzen_request'

/** Of one batch. */
export const MAX_EVALUATIONS = 100

/** What identifies the parts of a request. */
const NAMES = { subject: ['type', 'id'], action: ['name'], resource: ['type', 'id'] } as const
const PARTS = ['subject', 'action', 'resource'] as const

/**
 * @throws ValidationError
 * @describedBy evaluation_schema#evaluation
 */
export function evaluationRequest(body: unknown): AccessRequest {
  const request = new AuthzenRequest(body)
  return request.finish({
    subject: request.part('subject', NAMES.subject),
    action: request.part('action', NAMES.action),
    resource: request.part('resource', NAMES.resource),
    context: request.context(),
  })
}

/**
 * Without `evaluations`, the body is a single request. Of several, an invalid one does not affect
 * the others.
 *
 * @throws ValidationError
 * @describedBy evaluation_schema#evaluations
 */
export function evaluationsRequest(body: unknown): AccessRequest | Batch {
  const request = new AuthzenRequest(body)
  const defaults = body as JsonObject
  const items = defaults.evaluations ?? []
  if (Array.isArray(items) && items.length === 0) return evaluationRequest(body)
  for (const part of PARTS) request.checkDefault(part, NAMES[part])
  request.context()
  const semantic = readSemantic(request, defaults.options)
  if (!Array.isArray(items)) {
    request.fail('evaluations', 'array', 'must be an array')
  } else if (items.length > MAX_EVALUATIONS) {
    const limit = { max: MAX_EVALUATIONS }
    request.fail('evaluations', 'maxLength', `must have at most ${limit.max} items`, limit)
  }
  request.finish({})
  return { requests: (items as unknown[]).map((item) => readItem(item, defaults)), semantic }
}

function readSemantic(request: AuthzenRequest, options: unknown): Semantic {
  if (isAbsent(options)) return 'execute_all'
  if (!isObject(options)) request.fail('options', 'object', 'must be an object')
  const given = isObject(options) ? (options.evaluations_semantic ?? 'execute_all') : undefined
  const semantic = SEMANTICS.find((one) => one === given)
  if (semantic === undefined && isObject(options)) {
    const text = `must be one of ${SEMANTICS.join(', ')}`
    request.fail('options.evaluations_semantic', 'enum', text, { choices: SEMANTICS })
  }
  return semantic ?? 'execute_all'
}

function readItem(item: unknown, defaults: JsonObject): AccessRequest | RefusedRequest {
  if (!isObject(item)) return { message: 'An evaluation must be an object' }
  try {
    return evaluationRequest(withDefaults(item, defaults))
  } catch (error) {
    if (error instanceof ValidationError) return { message: error.message }
    throw error
  }
}

/**
 * A part of an item replaces the default of the same name with its properties, but need not repeat
 * what identifies it (authzen.md#defaults).
 */
function withDefaults(item: JsonObject, defaults: JsonObject): JsonObject {
  const merged: JsonObject = { context: item.context ?? defaults.context }
  for (const part of PARTS) merged[part] = partOf(item[part], defaults[part], NAMES[part])
  return merged
}

function partOf(given: unknown, usual: unknown, names: readonly string[]): unknown {
  if (isAbsent(given)) return usual
  if (!isObject(given) || !isObject(usual)) return given
  const identity = names.map((name) => [name, given[name] ?? usual[name]])
  return { ...given, ...Object.fromEntries(identity) }
}
