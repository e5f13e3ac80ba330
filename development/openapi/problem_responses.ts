import type { JsonSchema } from '#development/openapi/json_schema'
import { type ProblemKind, problemKinds } from '#core/exceptions/problem'
import { PROBLEM_CONTENT_TYPE } from '#core/exceptions/problem_response'
import { ERROR_CONTENT_TYPE, statusOf } from '#app/authzen/values/authzen_error'
import type { ResponseObject } from '#development/openapi/document'

/** See conventions.md#problem-details. */
export const PROBLEM_SCHEMA: JsonSchema = {
  type: 'object',
  description: 'Problem details (RFC 9457). Rely on `code`, which is stable; texts may change.',
  properties: {
    type: { type: 'string', description: 'The page that documents this code.' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', pattern: '^[A-Z][A-Z0-9_]*$' },
    details: { type: 'object', description: 'Machine-readable facts, `{}` if there are none.' },
    requestId: {
      type: 'string',
      description: 'The same as the header `X-Request-Id`, and found in the log.',
    },
  },
  required: ['type', 'title', 'status', 'detail', 'code', 'details', 'requestId'],
  additionalProperties: false,
}

const HEADERS: Record<number, string[]> = {
  401: ['WWW-Authenticate'],
  412: ['ETag'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

/**
 * One response per status, in ascending order.
 * @throws Error for an undeclared code
 */
export function problemResponses(codes: Iterable<string>): [status: string, ResponseObject][] {
  return byStatus(kindsOf(codes), ({ status }) => status, problemContent)
}

/** The same for routes whose errors are text (authzen.md#errors). */
export function textResponses(codes: Iterable<string>): [status: string, ResponseObject][] {
  return byStatus(kindsOf(codes), statusOf, ([{ code, title }]) => ({
    [ERROR_CONTENT_TYPE]: { schema: { type: 'string' }, example: `${code}: ${title}` },
  }))
}

function kindsOf(codes: Iterable<string>): ProblemKind[] {
  return [...codes].sort().map((code) => {
    const kind = problemKinds.get(code)
    if (!kind) throw new Error(`The problem ${code} is not declared`)
    return kind
  })
}

type Content = ResponseObject['content']

function byStatus(
  kinds: ProblemKind[],
  statusIn: (kind: ProblemKind) => number,
  contentOf: (kinds: ProblemKind[]) => Content
): [status: string, ResponseObject][] {
  const groups = [...Map.groupBy(kinds, statusIn)].sort(([a], [b]) => a - b)
  return groups.map(([status, alike]) => {
    const names = HEADERS[status]
    return [
      String(status),
      {
        description: alike.map((kind) => `\`${kind.code}\`: ${kind.title}`).join('; '),
        ...(names && { headers: Object.fromEntries(names.map((name) => [name, textHeader()])) }),
        content: contentOf(alike),
      },
    ]
  })
}

function problemContent(kinds: ProblemKind[]): Content {
  const [{ code, status, title }] = kinds
  return {
    [PROBLEM_CONTENT_TYPE]: {
      schema: {
        allOf: [
          { $ref: '#/components/schemas/Problem' },
          { properties: { code: { enum: kinds.map((kind) => kind.code) } } },
        ],
      },
      example: {
        type: `/docs/errors/${code}`,
        title,
        status,
        detail: title,
        code,
        details: {},
        requestId: '0f0c6a4e-2f6b-4f5e-9d0b-0d6f0b8a1c11',
      },
    },
  }
}

const textHeader = () => ({ schema: { type: 'string' } })
