import ts from 'typescript'
import type { OpenApiDocument, ParameterObject } from '#development/openapi/document'
import { documentationOf } from '#development/openapi/documentation'
import { exampleOf } from '#development/openapi/examples'
import type { JsonSchema } from '#development/openapi/json_schema'
import type { SourceCode } from '#development/openapi/source_code'
import type { TypeSchemas } from '#development/openapi/type_schema'

const EVENTS = { module: 'app/webhooks/values/event_data', name: 'EventsByType' }

const DESCRIPTION =
  'Signed according to Standard Webhooks. A 2xx response accepts the event. Otherwise, it is retried for three days. The status 410 disables the webhook.'

const header = (name: string, description: string): ParameterObject => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

const HEADERS = [
  header('webhook-id', 'Identifies the event. Every attempt has the same one.'),
  header('webhook-timestamp', 'When this attempt was made, in seconds since 1970.'),
  header('webhook-signature', 'One signature, or two after a rotation, separated by a space.'),
]

/** The requests that this service makes to webhooks, one for each type of event. */
export function outgoingEvents(
  source: SourceCode,
  schemas: TypeSchemas
): OpenApiDocument['webhooks'] {
  return Object.fromEntries(
    eventsIn(source).map((event) => {
      const type = (event.name as ts.StringLiteral).text
      const { summary, description } = documentationOf(event)
      const data = schemas.schemaOf(source.checker.getTypeAtLocation(event))
      const schema = messageOf(type, data)
      const lookUp = (reference: string) => schemas.components[reference.split('/').at(-1)!]
      const operation = {
        operationId: type,
        summary,
        description: [description, DESCRIPTION].filter(Boolean).join(' '),
        tags: ['Webhooks'],
        security: [],
        parameters: HEADERS,
        requestBody: {
          required: true,
          content: { 'application/json': { schema, example: exampleOf(schema, lookUp) } },
        },
        responses: {
          '2XX': { description: 'Accepted. The body is ignored' },
          '410': { description: 'No longer wanted. The webhook is disabled' },
        },
      }
      return [type, { post: operation }]
    })
  )
}

const messageOf = (type: string, data: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: {
    type: { type: 'string', enum: [type] },
    timestamp: { type: 'string', format: 'date-time' },
    data,
  },
  required: ['type', 'timestamp', 'data'],
  additionalProperties: false,
})

function eventsIn(source: SourceCode): ts.PropertySignature[] {
  const file = source.files.find((one) => source.pathOf(one) === EVENTS.module)
  const declaration = file?.statements
    .filter(ts.isInterfaceDeclaration)
    .find(({ name }) => name.text === EVENTS.name)
  if (!declaration) throw new Error(`${EVENTS.module} has no interface ${EVENTS.name}`)
  return declaration.members.filter(ts.isPropertySignature)
}
