import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { APP_ROOT } from '#core/process/root'

/** Without an endpoint, OpenTelemetry is not loaded at all. */
export const isTracing = Boolean(process.env.OTEL_EXPORTER_OTLP_ENDPOINT)

const FLUSH_TIMEOUT_MS = 2_000

const NOT_INSTALLED =
  'OTEL_EXPORTER_OTLP_ENDPOINT is set, but OpenTelemetry is not installed. Add it with ' +
  '"npm install --omit=dev --omit=optional --no-save --save-prod @adonisjs/otel", or unset the variable'

/**
 * Must run before any traced module is imported. @throws Error if OpenTelemetry is not installed
 */
export async function startTracing() {
  if (!isTracing) return
  const { init } = await import('@adonisjs/otel/init').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ERR_MODULE_NOT_FOUND' ? new Error(NOT_INSTALLED, { cause: error }) : error
  })
  await init(fileURLToPath(new URL('app/core/tracing/', APP_ROOT)))
}

/** Exports remaining spans, unless the collector does not respond. */
export async function stopTracing() {
  if (!isTracing) return
  const { OtelManager } = await import('@adonisjs/otel/manager')
  const flushed = OtelManager.getInstance()?.shutdown()
  await Promise.race([flushed?.catch(() => {}), pause(FLUSH_TIMEOUT_MS, null, { ref: false })])
}
