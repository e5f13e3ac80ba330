import {
  type Described,
  asPointer,
  operationName,
  operations,
  patternOf,
  responseOf,
} from '#tests/helpers/described_operations'
import { isUntestableField, isUntestableStatus } from '#tests/helpers/untestable_parts'
import { fieldsAt, isFieldSeen, recordFields } from '#tests/helpers/seen_fields'
import type { Answer } from '#tests/world/watch_response'

const JSON_TYPE = 'application/json'

/** The statuses seen, by operation. */
const seen = new Map<string, Set<number>>()

/** Records which parts of the description a response covers. HEAD responses do not count. */
export function recordResponse(answer: Answer) {
  const pattern = patternOf(answer)
  const name = pattern && operationName(answer.method, pattern)
  const described = name === undefined ? undefined : operations.get(name)
  if (!name || !described || answer.method === 'HEAD') return
  const statuses = seen.get(name) ?? new Set()
  seen.set(name, statuses.add(answer.status))
  const body = jsonOf(described, answer.status)
  if (body && answer.contentType === JSON_TYPE) recordFields(body.pointer, body.schema, answer.body)
}

/**
 * Parts of the description that no test has seen: statuses such as `GET /api/users/: 404`, and
 * fields of successful responses as JSON pointers. A field that was always null counts as unseen.
 */
export function untestedParts(): string[] {
  const statuses = [...operations].flatMap(([name, { operation }]) =>
    Object.keys(operation.responses)
      .map(Number)
      .filter((status) => !seen.get(name)?.has(status) && !isUntestableStatus(name, status))
      .map((status) => `${name} ${status}`)
  )
  const fields = [...describedFields()].filter(
    (field) => !isFieldSeen(field) && !isUntestableField(field)
  )
  return [...statuses, ...fields]
}

function describedFields(): Set<string> {
  const fields = new Set<string>()
  for (const described of operations.values()) {
    for (const status of Object.keys(described.operation.responses)) {
      const body = jsonOf(described, Number(status))
      if (body) fieldsAt(body.pointer, body.schema).forEach((field) => fields.add(field))
    }
  }
  return fields
}

function jsonOf(described: Described, status: number) {
  const response = status < 300 ? responseOf(described, status) : undefined
  const schema = response?.content?.[JSON_TYPE]?.schema
  return schema && { schema, pointer: `${response.pointer}/content/${asPointer(JSON_TYPE)}/schema` }
}
