import { jsonOf, recordStatus } from '#tests/helpers/coverage'
import { operationName, operations } from '#tests/helpers/described_operations'
import { patternOf } from '#tests/helpers/route_pattern'
import { recordFields } from '#tests/helpers/seen_fields'
import type { Answer } from '#tests/world/watch_response'

const JSON_TYPE = 'application/json'

/** Records which parts of the description a response covers. HEAD responses do not count. */
export function recordResponse(answer: Answer) {
  const pattern = patternOf(answer)
  const name = pattern && operationName(answer.method, pattern)
  const described = name === undefined ? undefined : operations.get(name)
  if (!name || !described || answer.method === 'HEAD') return
  recordStatus(name, answer.status)
  const body = jsonOf(described, answer.status)
  if (body && answer.contentType === JSON_TYPE) recordFields(body.pointer, body.schema, answer.body)
}
