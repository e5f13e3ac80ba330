import { jsonOf, recordStatus } from '#tests/helpers/coverage'
import { operationName, operations } from '#tests/helpers/described_operations'
import { patternOf } from '#tests/helpers/route_pattern'
import { recordFields } from '#tests/helpers/seen_fields'
import type { SeenResponse } from '#tests/world/watch_response'

const JSON_TYPE = 'application/json'

/** Records which parts of the description a response covers. HEAD responses do not count. */
export function recordResponse(response: SeenResponse) {
  const pattern = patternOf(response)
  const name = pattern && operationName(response.method, pattern)
  const described = name === undefined ? undefined : operations.get(name)
  if (!name || !described || response.method === 'HEAD') return
  recordStatus(name, response.status)
  const body = jsonOf(described, response.status)
  if (body && response.contentType === JSON_TYPE)
    recordFields(body.pointer, body.schema, response.body)
}
