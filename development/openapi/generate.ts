import { fileURLToPath } from 'node:url'
import app from '@adonisjs/core/services/app'
import { PROBLEM_CONTENT_TYPE } from '#core/exceptions/problem_response'
import { loadProblems } from '#core/exceptions/load_problems'
import { SECURITY_SCHEMES } from '#development/openapi/authentication'
import type {
  OpenApiDocument,
  OperationObject,
  ResponseObject,
} from '#development/openapi/document'
import { operationOf } from '#development/openapi/operation'
import { outgoingEvents } from '#development/openapi/outgoing_events'
import { PROBLEM_SCHEMA } from '#development/openapi/problem_responses'
import { type ServedRoute, servedRoutes } from '#development/openapi/served_routes'
import { SourceCode } from '#development/openapi/source_code'
import { TypeSchemas } from '#development/openapi/type_schema'

const DESCRIPTION = `The central back end of a platform: profiles, permissions and checks, notifications and broadcasts.

Every error is \`application/problem+json\` (RFC 9457) with a stable \`code\`; each code has a page at
\`/docs/errors/<code>\`. Those of AuthZEN are text that begins with the code. An unknown path
returns 404 \`NOT_FOUND\`, an unsupported method 405 \`METHOD_NOT_ALLOWED\`. Unknown fields of a request are ignored. Null in an optional field of a
body means that it is absent; in updates it clears a field that can be null. Timestamps are ISO 8601
in UTC with milliseconds. New fields may be added to responses.`

/**
 * Builds the API description from the router and the source code. Needs the TypeScript compiler,
 * so it runs in development only.
 * @throws Error that lists the routes that cannot be described, and why
 */
export async function generateOpenApi(): Promise<OpenApiDocument> {
  await loadProblems()
  const source = new SourceCode(fileURLToPath(app.appRoot))
  const schemas = new TypeSchemas(source)
  const paths: OpenApiDocument['paths'] = {}
  const routes = servedRoutes(source).sort(byPathAndMethod)
  const failures: string[] = []
  for (const route of routes) {
    const path = (paths[route.path] ??= {})
    try {
      path[route.method.toLowerCase()] = await operationOf(route, source, schemas)
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error))
    }
  }
  if (failures.length > 0) throw new Error(failures.join('\n'))
  const webhooks = outgoingEvents(source, schemas)
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Concierge',
      version: '1',
      description: DESCRIPTION,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/', description: 'This service' }],
    tags: [...new Set(operations.flatMap(({ tags }) => tags))].sort().map((name) => ({ name })),
    paths,
    webhooks,
    components: {
      schemas: sortedByName({ ...schemas.components, Problem: PROBLEM_SCHEMA }),
      responses: sortedByName(shareResponses(operations)),
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}

export const printOpenApi = (document: OpenApiDocument) => `${JSON.stringify(document, null, 2)}\n`

function byPathAndMethod(a: ServedRoute, b: ServedRoute) {
  return compare(a.pattern, b.pattern) || compare(a.method, b.method)
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b))

/** Moves problem responses to the components, named after their codes. */
function shareResponses(operations: OperationObject[]): Record<string, ResponseObject> {
  const shared: Record<string, ResponseObject> = {}
  for (const { responses } of operations) {
    for (const [status, response] of Object.entries(responses)) {
      if ('$ref' in response) continue
      const name = codesIn(response).join('.')
      if (name === '') continue
      shared[name] = response
      responses[status] = { $ref: `#/components/responses/${name}` }
    }
  }
  return shared
}

/** None for a response that also has other content. */
function codesIn({ content = {} }: ResponseObject): string[] {
  if (Object.keys(content).length !== 1) return []
  const schema = content[PROBLEM_CONTENT_TYPE]?.schema
  return (schema?.allOf?.[1].properties?.code.enum ?? []) as string[]
}

function sortedByName<T>(entries: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(entries).sort(([a], [b]) => compare(a, b)))
}
