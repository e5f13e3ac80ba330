import app from '@adonisjs/core/services/app'
import { HttpContext } from '@adonisjs/core/http'
import { defineConfig, targets } from '@adonisjs/core/logger'
import env from '#start/env'

/** One line per request; in development it would hide the lines that matter there. */
export const writesAccessLog = env.get('ACCESS_LOG') ?? app.inProduction

/** Under which request a line was written, wherever the code that writes it stands. */
function requestFields() {
  const ctx = HttpContext.get()
  return ctx === null ? {} : { requestId: ctx.requestId }
}

/** Of a command standard output is the answer, often for another program to read. */
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
