import type { OtelConfig } from '@adonisjs/otel/types'

type SpanProcessor = NonNullable<OtelConfig['spanProcessors']>[number]

/** What a span may tell. Paths, queries, addresses and error texts may hold e-mail addresses and tokens. */
const HARMLESS = new Set([
  ...['http.request.method', 'http.method', 'http.response.status_code', 'http.status_code'],
  ...['http.route', 'http.flavor', 'network.protocol.version', 'error.type', 'adonis.route.name'],
  ...['server.address', 'server.port', 'url.scheme', 'http.scheme'],
  ...['db.system', 'db.system.name', 'db.operation', 'db.operation.name', 'db.sql.table'],
])

/** Takes everything else off a span before it leaves; it stands before the exporter. */
export const keepHarmless: SpanProcessor = {
  onStart() {},
  onEnd(span) {
    for (const name of Object.keys(span.attributes)) {
      if (!HARMLESS.has(name)) delete span.attributes[name]
    }
    span.events.length = 0
    delete span.status.message
  },
  forceFlush: async () => {},
  shutdown: async () => {},
}
