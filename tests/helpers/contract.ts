import type { ValidateFunction } from 'ajv/dist/2020.js'
import {
  type DescribedResponse,
  asPointer,
  operationName,
  operations,
  responseOf,
} from '#tests/helpers/described_operations'
import { patternOf } from '#tests/helpers/route_pattern'
import { validatorAt } from '#tests/helpers/validators'
import type { SeenResponse } from '#tests/world/watch_response'

const PROBLEM = 'application/problem+json'

/** Problems raised before routing. */
const BEFORE_ROUTES = ['MALFORMED_REQUEST', 'EXPECTATION_FAILED', 'RATE_LIMITED', 'OVERLOADED']
/** Problems of requests without a route. */
const WITHOUT_ROUTE = ['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'VALIDATION_ERROR', ...BEFORE_ROUTES]
const ADVICE =
  'run npm run ace -- openapi:generate and review the changes; see docs/how-to/describe-a-route.md'

/** How a response differs from the API description; empty if it does not. */
export function violationsOf(response: SeenResponse): string[] {
  const pattern = patternOf(response)
  const name = `${response.method} ${pattern ?? response.url}: ${response.status}`
  const found =
    pattern === undefined || isBeforeRoutes(response)
      ? violationsWithoutRoute(response)
      : violationsOnRoute(response, pattern)
  return found.map((violation) => `${name} ${violation}; ${ADVICE}`)
}

const isBeforeRoutes = ({ contentType, body }: SeenResponse) =>
  contentType === PROBLEM && BEFORE_ROUTES.some((code) => body.includes(`"code":"${code}"`))

function violationsWithoutRoute({ contentType, body, method, status }: SeenResponse): string[] {
  if (method === 'HEAD' || (method === 'OPTIONS' && status === 204)) return []
  if (contentType !== PROBLEM) return [`is ${contentType} instead of a problem`]
  const { code } = JSON.parse(body) as { code: string }
  if (!WITHOUT_ROUTE.includes(code)) return [`is ${code}, though no route serves it`]
  return schemaViolations(validatorAt('#/components/schemas/Problem'), body)
}

function violationsOnRoute(seen: SeenResponse, pattern: string): string[] {
  const described = operations.get(operationName(seen.method, pattern))
  if (!described) return ['comes from a route that is not described']
  const response = responseOf(described, seen.status)
  if (!response) return ['is a status that is not described']
  return seen.method === 'HEAD' ? [] : contentViolations(seen, response)
}

function contentViolations(
  { contentType, body }: SeenResponse,
  { content, pointer }: DescribedResponse
) {
  if (!content) return body === '' ? [] : ['has a body that is not described']
  if (!contentType || !content[contentType]) return [`is ${contentType}, which is not described`]
  if (!/[/+]json$/.test(contentType)) return []
  return schemaViolations(validatorAt(`${pointer}/content/${asPointer(contentType)}/schema`), body)
}

function schemaViolations(validate: ValidateFunction | undefined, body: string): string[] {
  if (!validate) return ['has no schema']
  if (validate(JSON.parse(body))) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `does not fit: ${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`
  )
}
