import ts from 'typescript'
import { type SuccessResponse, successResponsesOf } from '#development/openapi/success_responses'
import { readRequest } from '#development/openapi/read_request'
import { conditionsOf, raises, securityOf } from '#development/openapi/authentication'
import type {
  OperationObject,
  ParameterObject,
  ResponseObject,
} from '#development/openapi/document'
import { documentationOf } from '#development/openapi/documentation'
import { exampleOf } from '#development/openapi/examples'
import { problemResponses, textResponses } from '#development/openapi/problem_responses'
import { raisedProblems } from '#development/openapi/raised_problems'
import {
  type FunctionNode,
  reachableFunctions,
  remembered,
  walk,
} from '#development/openapi/reachable_functions'
import { REVISION, responseHeadersOf } from '#development/openapi/response_headers'
import { parametersOf, requestBodyOf } from '#development/openapi/request_part'
import type { ServedRoute } from '#development/openapi/served_routes'
import type { SourceCode } from '#development/openapi/source_code'
import type { TypeSchemas } from '#development/openapi/type_schema'

/** Problems of every route. */
const COMMON_PROBLEMS = ['INTERNAL_ERROR', 'DATABASE_UNAVAILABLE', 'OVERLOADED', 'RATE_LIMITED']
/** Problems of every write, such as a concurrent deletion of what it refers to. */
const WRITE_PROBLEMS = ['CONFLICT']

const STATUS_DESCRIPTIONS: Record<number, string> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No content',
  302: 'Redirect',
  304: 'Not modified',
}

const AT_LEAST: ParameterObject = {
  name: 'concierge-at-least',
  in: 'header',
  required: false,
  description: 'The revision of a change that the response must reflect.',
  schema: REVISION,
}

/**
 * Describes a route: access by its guards, everything else by its controller.
 * @throws Error that names the route and what is missing
 */
export async function operationOf(
  route: ServedRoute,
  source: SourceCode,
  schemas: TypeSchemas
): Promise<OperationObject> {
  try {
    return await describeOperation(route, source, schemas)
  } catch (cause) {
    const { module, method } = route.controller
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(
      `${route.method} ${route.pattern} (${module}, ${method}) cannot be described. ${reason}`,
      { cause }
    )
  }
}

async function describeOperation(route: ServedRoute, source: SourceCode, schemas: TypeSchemas) {
  const method = source.method(route.controller.module, route.controller.method)
  const { summary, description } = documentationOf(method)
  const asked = readRequest(method, source)
  const isFresh = route.guards.some(({ name }) => name === 'freshness')
  const parameters = [
    ...(await parametersOf(route.pattern, route.path, asked, source.root)),
    ...(isFresh ? [AT_LEAST] : []),
  ]
  const codes = codesOf(route, source)
  const responses = successResponsesOf(method, source).map((response) =>
    responseObject(response, schemas)
  )
  const headers = responseHeadersOf(method, source, isFresh)
  if (Object.keys(headers).length > 0) {
    responses.forEach(([, response]) => Object.assign(response, { headers }))
  }
  const notes = [description, ...conditionsOf(route.guards)]
  const operation: OperationObject = {
    'operationId': route.name,
    summary,
    'description': notes.filter(Boolean).join(' '),
    'tags': [tagOf(route)],
    'x-errors': codes,
    'security': securityOf(route.guards),
    ...(parameters.length > 0 && { parameters }),
    'responses': merged([...responses, ...errorResponses(codes, route)]),
  }
  const requestBody = await requestBodyOf(asked, source.root)
  return requestBody ? { ...operation, requestBody } : operation
}

function errorResponses(codes: string[], { guards }: ServedRoute) {
  const isText = guards.some(({ name }) => name === 'authzenTransport')
  return isText ? textResponses(codes) : problemResponses(codes)
}

/** A page may say the same as a problem, such as 503, with a content type of its own. */
function merged(responses: [status: string, ResponseObject][]) {
  const byStatus = new Map<string, ResponseObject>()
  for (const [status, response] of responses) {
    const former = byStatus.get(status)
    const content = { ...former?.content, ...response.content }
    byStatus.set(status, former ? { ...former, ...response, content } : response)
  }
  return Object.fromEntries(byStatus)
}

const LOCATION = { Location: { schema: { type: 'string' } } }

function codesOf({ method, controller, guards }: ServedRoute, source: SourceCode) {
  const body = source.method(controller.module, controller.method)
  const raised = [...raisedProblems(body, source)]
  for (const guard of guards) {
    const codes = [...raisedProblems(source.method(guard.module, 'handle'), source)]
    raised.push(...codes.filter((code) => raises(guard, code)))
  }
  if (
    method !== 'GET' &&
    reachableFunctions(body, source).some((one) => writesToDatabase(one, source))
  )
    raised.push(...WRITE_PROBLEMS)
  return [...new Set([...raised, ...COMMON_PROBLEMS])].sort()
}

/** Types of bodies that the source does not describe. */
const OPAQUE_TYPES: Record<string, string> = { 'application/json': 'object' }

const WRITE_METHODS = new Set([
  'save',
  'create',
  'createMany',
  'insert',
  'multiInsert',
  'update',
  'delete',
])

const writing = new WeakMap<ts.Node, boolean>()

/** Whether a function writes to the database. Maps and hashes have methods of the same names. */
function writesToDatabase(body: FunctionNode, { checker }: SourceCode): boolean {
  return remembered(writing, body, () => {
    let found = false
    walk(body, (node) => {
      if (found || !ts.isPropertyAccessExpression(node)) return
      if (!WRITE_METHODS.has(node.name.text)) return
      const [declaration] = checker.getSymbolAtLocation(node.name)?.declarations ?? []
      found = declaration?.getSourceFile().fileName.includes('/@adonisjs/lucid/') ?? false
    })
    return found
  })
}

function responseObject(
  { status, contentType, type }: SuccessResponse,
  schemas: TypeSchemas
): [string, ResponseObject] {
  const description = STATUS_DESCRIPTIONS[status] ?? 'Response'
  if (!contentType) return [String(status), { description }]
  const headers = status === 302 ? { headers: LOCATION } : {}
  const schema = type ? schemas.schemaOf(type) : { type: OPAQUE_TYPES[contentType] ?? 'string' }
  const lookUp = (reference: string) => schemas.components[reference.split('/').at(-1)!]
  const example = type ? { example: exampleOf(schema, lookUp) } : {}
  const content = { [contentType]: { schema, ...example } }
  return [String(status), { description, ...headers, content }]
}

/** Of sections whose name is not written like a word. */
const SECTION_NAMES: Record<string, string> = { authzen: 'AuthZEN' }

function tagOf({ controller }: ServedRoute): string {
  const section = controller.module.split('/')[1]
  return SECTION_NAMES[section] ?? capitalized(section.replaceAll('_', ' '))
}

const capitalized = (text: string) => text[0].toUpperCase() + text.slice(1)
