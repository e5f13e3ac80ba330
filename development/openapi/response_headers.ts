import type ts from 'typescript'
import { reachableFunctions } from '#development/openapi/reachable_functions'
import type { SourceCode } from '#development/openapi/source_code'

const TAG_HEADERS = {
  ETag: {
    description: 'The state of the resource, for `If-Match`.',
    schema: { type: 'string' },
  },
}

const LINK_HEADER = {
  Link: {
    description: 'The next page, as `rel="next"`, if there is one.',
    schema: { type: 'string' },
  },
}

const TOTAL_HEADER = {
  'X-Total-Count': {
    description: 'The number of items on all pages, if `count=true` is requested.',
    schema: { type: 'integer' },
  },
}

export const REVISION = { type: 'integer', minimum: 0 } as const

const CHANGE_HEADERS = {
  'Concierge-Revision': {
    description: 'The revision of the change, if it may have changed decisions.',
    schema: REVISION,
  },
}

const FRESHNESS_HEADERS = {
  'Concierge-Revision': {
    description: 'The response reflects every change up to this revision.',
    schema: REVISION,
  },
}

const VALIDITY_HEADERS = {
  'Concierge-Valid-For': {
    description:
      'How long the response holds, in milliseconds, if a time window begins or ends then.',
    schema: { type: 'integer', minimum: 1 },
  },
  'Concierge-Conditional': {
    description:
      'The positions of the permissions, from 0, whose results depend on conditions, if there are any.',
    schema: { type: 'string' },
  },
}

/** The headers that a controller's method sets, by the functions that it calls. */
export function responseHeadersOf(
  method: ts.MethodDeclaration,
  source: SourceCode,
  isFresh: boolean
) {
  const called = new Set(reachableFunctions(method, source).map((body) => body.name?.getText()))
  return {
    ...((called.has('tagged') || called.has('tagWith')) && TAG_HEADERS),
    ...(called.has('linkNext') && LINK_HEADER),
    ...(called.has('setTotal') && TOTAL_HEADER),
    ...(called.has('accessTransaction') && !called.has('rehearse') && CHANGE_HEADERS),
    ...(isFresh && FRESHNESS_HEADERS),
    ...(called.has('validityHeaders') && VALIDITY_HEADERS),
  }
}
