import type { HttpContext } from '@adonisjs/core/http'
import { METRICS_CONTENT_TYPE, collectMetrics } from '#core/metrics/collect_metrics'

/** See authentication.md#private-network-access. */
export default class MetricsController {
  /**
   * Get the metrics in the Prometheus text format
   *
   * @produces text/plain
   */
  async show({ response }: HttpContext) {
    response.header('content-type', METRICS_CONTENT_TYPE).send(await collectMetrics())
  }
}
