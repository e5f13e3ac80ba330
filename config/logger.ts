import app from '@adonisjs/core/services/app'
import { defineConfig, destination, targets } from '@adonisjs/core/logger'
import env from '#start/env'
import { currentRequestId } from '#core/http/current_request'

/** In development, lines for each request would hide the others. */
export const writesAccessLog = env.get('ACCESS_LOG') ?? app.inProduction

/** Lines are dropped beyond this many bytes that nobody reads. */
const MAX_BUFFERED_BYTES = 4 * 1_048_576

/**
 * Where the log goes, without a thread of its own: that would take 16 MiB. Commands log to
 * stderr, because other programs may read their output.
 */
export const logOutput = destination({
  dest: app.getEnvironment() === 'web' ? 1 : 2,
  sync: false,
  maxLength: MAX_BUFFERED_BYTES,
})

function requestFields() {
  const requestId = currentRequestId()
  return requestId === undefined ? {} : { requestId }
}

export default defineConfig({
  default: 'app',
  loggers: {
    app: {
      enabled: env.get('LOG_LEVEL') !== 'silent',
      name: 'concierge',
      level: env.get('LOG_LEVEL') ?? 'info',
      mixin: requestFields,
      redact: {
        paths: [
          '*.password',
          '*.token',
          '*.authorization',
          'headers.authorization',
          'headers.cookie',
        ],
        censor: '[redacted]',
      },
      ...(app.inProduction
        ? { destination: logOutput }
        : { transport: { targets: [targets.pretty({ destination: 2 } as never)] } }),
    },
  },
})
