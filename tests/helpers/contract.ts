import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import router from '@adonisjs/core/services/router'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { OpenApiDocument, OperationObject, ResponseObject } from '#core/openapi/document'
import { projectPath } from '#start/root'

export interface Answer {
  method: string
  url: string
  status: number
  contentType: string | undefined
  body: string
}

const PROBLEM = 'application/problem+json'

/** Answers to requests before any route is asked. */
const BEFORE_ROUTES = ['MALFORMED_REQUEST', 'EXPECTATION_FAILED', 'OVERLOADED']
/** Answers to requests that no route serves. */
const WITHOUT_ROUTE = ['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'VALIDATION_ERROR', ...BEFORE_ROUTES]
const ADVICE =
  'run npm run ace -- openapi:generate and look at the difference; docs/how-to/describe-a-route.md says what is read from where'

const document: OpenApiDocument = JSON.parse(
  readFileSync(join(projectPath(), 'docs/reference/openapi.json'), 'utf8')
)
const ajv = addFormats
  .default(new Ajv2020({ strict: false, allErrors: false }))
  .addSchema(document, 'api')

const operations = new Map(
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [
      `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, ':')}`,
      { operation, pointer: `api#/paths/${escape(path)}/${method}` },
    ])
  )
)

/** The operation that describes a route. */
export function operationAt(method: string, pattern: string): OperationObject | undefined {
  return operations.get(`${method} ${pattern.replaceAll(/:\w+/g, ':')}`)?.operation
}

/** What is wrong with an answer by the API description; empty when it is as described. */
export function violationsOf(answer: Answer): string[] {
  const pattern = patternOf(answer)
  const name = `${answer.method} ${pattern ?? answer.url}: ${answer.status}`
  const found =
    pattern === undefined || isBeforeRoutes(answer)
      ? withoutRoute(answer)
      : onRoute(answer, pattern)
  return found.map((violation) => `${name} ${violation}; ${ADVICE}`)
}

/** The pattern of the route that serves a request; a HEAD is served by the route of its GET. */
function patternOf({ method, url }: Answer): string | undefined {
  try {
    return router.match(url.split('?')[0], method, false)?.route.pattern
  } catch {
    return undefined // A malformed escape is answered before any route is looked for.
  }
}

const isBeforeRoutes = ({ contentType, body }: Answer) =>
  contentType === PROBLEM && BEFORE_ROUTES.some((code) => body.includes(`"code":"${code}"`))

function withoutRoute({ contentType, body, method }: Answer): string[] {
  if (method === 'HEAD') return []
  if (contentType !== PROBLEM) return [`is ${contentType} instead of a problem`]
  const { code } = JSON.parse(body) as { code: string }
  if (!WITHOUT_ROUTE.includes(code)) return [`is ${code}, though no route answers`]
  return failures(ajv.getSchema('api#/components/schemas/Problem'), body)
}

function onRoute(answer: Answer, pattern: string): string[] {
  const method = answer.method === 'HEAD' ? 'GET' : answer.method
  const described = operations.get(`${method} ${pattern.replaceAll(/:\w+/g, ':')}`)
  if (!described) return ['comes from a route that is not described']
  const response = responseIn(described.operation, described.pointer, answer.status)
  if (!response) return ['is a status that is not described']
  if (answer.method === 'HEAD') return []
  return inContent(answer, response.content, response.pointer)
}

function responseIn(operation: OperationObject, pointer: string, status: number) {
  const response = operation.responses[status]
  if (!response) return undefined
  if (!('$ref' in response)) {
    return { content: response.content, pointer: `${pointer}/responses/${status}` }
  }
  const name = response.$ref.split('/').at(-1)!
  const shared = document.components.responses[name]
  return { content: shared.content, pointer: `api#/components/responses/${name}` }
}

function inContent({ contentType, body }: Answer, content: ResponseObject['content'], at: string) {
  if (!content) return body === '' ? [] : ['has a body that is not described']
  if (!contentType || !content[contentType]) return [`is ${contentType}, which is not described`]
  if (!contentType.endsWith('json')) return []
  return failures(ajv.getSchema(`${at}/content/${escape(contentType)}/schema`), body)
}

function failures(validate: ValidateFunction | undefined, body: string): string[] {
  if (!validate) return ['has no schema']
  if (validate(JSON.parse(body))) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `does not fit: ${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`
  )
}

/** As a part of a JSON pointer in a URI fragment. */
function escape(part: string) {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
}
