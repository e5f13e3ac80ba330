import { defineConfig, destinations } from '@adonisjs/otel'
import { spanRedactor } from '#core/tracing/span_redactor'

/** Loaded before the settings. Not in `config/`, which the framework always loads. */
process.env.OTEL_NODE_ENABLED_INSTRUMENTATIONS ||= 'http,undici,knex'
process.env.OTEL_METRICS_EXPORTER ||= 'none'
process.env.OTEL_LOGS_EXPORTER ||= 'none'

export default defineConfig({
  enabled: true,
  serviceName: process.env.OTEL_SERVICE_NAME || 'concierge',
  environment: process.env.NODE_ENV || 'development',
  spanProcessors: [spanRedactor],
  destinations: { collector: destinations.otlp({ signals: ['traces'], timeoutMillis: 2_000 }) },
  instrumentations: {
    '@opentelemetry/instrumentation-http': {
      ignoredUrls: ['/api/health/*', '/metrics'],
      mergeIgnoredUrls: false,
      ignoreStaticFiles: false,
      ignoreOptionsRequests: false,
    },
  },
  userContext: false,
})
