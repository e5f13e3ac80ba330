import type { OtelConfig } from '@adonisjs/otel/types'

type SpanProcessor = NonNullable<OtelConfig['spanProcessors']>[number]

/** Other attributes, such as paths and error messages, may contain e-mail addresses and tokens. */
const SAFE_ATTRIBUTES = new Set([
  'http.request.method',
  'http.method',
  'http.response.status_code',
  'http.status_code',
  'http.route',
  'http.flavor',
  'network.protocol.version',
  'error.type',
  'adonis.route.name',
  'server.address',
  'server.port',
  'url.scheme',
  'http.scheme',
  'db.system',
  'db.system.name',
  'db.operation',
  'db.operation.name',
  'db.sql.table',
])

/** Removes everything else from a span before it is exported. */
export const spanRedactor: SpanProcessor = {
  onStart() {},
  onEnd(span) {
    for (const name of Object.keys(span.attributes)) {
      if (!SAFE_ATTRIBUTES.has(name)) delete span.attributes[name]
    }
    span.events.length = 0
    delete span.status.message
  },
  forceFlush: async () => {},
  shutdown: async () => {},
}
