import app from '@adonisjs/core/services/app'
import { defineConfig, targets } from '@adonisjs/core/logger'
import env from '#start/env'
import { currentRequestId } from '#core/http/current_request_id'

/** In development, lines for each request would hide the others. */
export const writesAccessLog = env.get('ACCESS_LOG') ?? app.inProduction

function requestFields() {
  const requestId = currentRequestId()
  return requestId === undefined ? {} : { requestId }
}

/** Commands log to stderr, because other programs may read their output. */
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
      transport: {
        targets: targets()
          .pushIf(!app.inProduction, targets.pretty({ destination: 2 } as never))
          .pushIf(
            app.inProduction,
            targets.file({ destination: app.getEnvironment() === 'web' ? 1 : 2 })
          )
          .toArray(),
      },
    },
  },
})
