import {
  type Described,
  asPointer,
  operations,
  responseOf,
} from '#tests/helpers/described_operations'
import { fieldsAt, seenFields } from '#tests/helpers/seen_fields'
import { isUntestableField, isUntestableStatus } from '#tests/helpers/untestable_parts'
import type { Database } from '#tests/lanes'

const JSON_TYPE = 'application/json'

/** Parts of the description: statuses such as `GET /api/users/: 404`, and pointers to fields. */
export interface Seen {
  statuses: string[]
  fields: string[]
}

const seenStatuses = new Set<string>()

export const recordStatus = (operation: string, status: number) =>
  seenStatuses.add(`${operation} ${status}`)

/** What this process has seen. */
export const seenParts = (): Seen => ({ statuses: [...seenStatuses], fields: [...seenFields] })

/**
 * Parts of the description that no test has seen on a database. A field of a successful response
 * that was always null counts as unseen.
 */
export function untestedParts(parts: Seen[], database: Database): string[] {
  const seen = new Set(parts.flatMap(({ statuses, fields }) => [...statuses, ...fields]))
  const statuses = [...operations].flatMap(([name, { operation }]) =>
    Object.keys(operation.responses)
      .map(Number)
      .filter((status) => !isUntestableStatus(name, status, database))
      .map((status) => `${name} ${status}`)
  )
  const fields = [...describedFields()].filter((field) => !isUntestableField(field))
  return [...statuses, ...fields].filter((part) => !seen.has(part))
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

/** The schema of a successful response, and the JSON pointer to it. */
export function jsonOf(described: Described, status: number) {
  const response = status < 300 ? responseOf(described, status) : undefined
  const schema = response?.content?.[JSON_TYPE]?.schema
  return schema && { schema, pointer: `${response.pointer}/content/${asPointer(JSON_TYPE)}/schema` }
}
