import type { JsonSchema } from '#development/openapi/json_schema'

/** The parts of an OpenAPI 3.1 document that this service uses. */
export interface OpenApiDocument {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string; license: object }
  servers: { url: string; description: string }[]
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, OperationObject>>
  webhooks: Record<string, { post: WebhookOperation }>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, ResponseObject>
    securitySchemes: Record<string, object>
  }
}

export interface OperationObject {
  'operationId': string
  'summary': string
  'description'?: string
  'tags': string[]
  'x-errors': string[]
  'security': Record<string, string[]>[]
  'parameters'?: ParameterObject[]
  'requestBody'?: { required: boolean; content: Record<string, MediaTypeObject> }
  'responses': Record<string, ResponseObject | { $ref: string }>
}

/** A request that this service makes. */
export interface WebhookOperation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters: ParameterObject[]
  requestBody: { required: boolean; content: Record<string, MediaTypeObject> }
  responses: Record<string, ResponseObject>
}

export interface ParameterObject {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
  example?: unknown
}

export interface MediaTypeObject {
  schema: JsonSchema
  example?: unknown
}

export interface ResponseObject {
  description: string
  headers?: Record<string, { description?: string; schema: JsonSchema }>
  content?: Record<string, MediaTypeObject>
}
