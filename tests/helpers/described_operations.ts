import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type {
  OpenApiDocument,
  OperationObject,
  ResponseObject,
} from '#development/openapi/document'
import { projectPath } from '#core/process/root'

export interface Described {
  operation: OperationObject
  /** A JSON pointer in a URI fragment. */
  pointer: string
}

export interface DescribedResponse {
  content: ResponseObject['content']
  pointer: string
}

export const document: OpenApiDocument = JSON.parse(
  readFileSync(join(projectPath(), 'docs/reference/openapi.json'), 'utf8')
)

/** Keyed by names such as `GET /api/users/:`. */
export const operations = new Map<string, Described>(
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [
      operationName(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, ':')),
      { operation, pointer: `#/paths/${asPointer(path)}/${method}` },
    ])
  )
)

export function operationName(method: string, pattern: string): string {
  return `${method === 'HEAD' ? 'GET' : method} ${pattern.replaceAll(/:\w+|\*/g, ':')}`
}

export function responseOf(described: Described, status: number): DescribedResponse | undefined {
  const response = described.operation.responses[status]
  if (!response) return undefined
  if (!('$ref' in response)) {
    return { content: response.content, pointer: `${described.pointer}/responses/${status}` }
  }
  const name = response.$ref.split('/').at(-1)!
  return { content: document.components.responses[name].content, pointer: response.$ref }
}

/** Escapes a part of a JSON pointer in a URI fragment. */
export function asPointer(part: string) {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
}
