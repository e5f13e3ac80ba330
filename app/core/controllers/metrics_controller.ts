import type { HttpContext } from '@adonisjs/core/http'
import { METRICS_CONTENT_TYPE, collectMetrics } from '#core/metrics/collect'

/** For Prometheus, in the private network (authentication.md#private-network-access). */
export default class MetricsController {
  /**
   * Reads the metrics of this service, in the text format of Prometheus.
   *
   * @produces text/plain
   */
  async show({ response }: HttpContext) {
    response.header('content-type', METRICS_CONTENT_TYPE).send(await collectMetrics())
  }
}
