import type { HttpContext } from '@adonisjs/core/http'
import { countIfRequested } from '#core/http/lists'
import { pageOf, paged } from '#core/http/paging'
import { idParam, textParam } from '#core/http/path_params'
import { readFresh } from '#core/http/read_fresh'
import { successEnvelope } from '#core/values/envelopes'
import Application from '#app/applications/models/application'
import { replayDelivery } from '#app/webhooks/actions/replay_delivery'
import Webhook from '#app/webhooks/models/webhook'
import { deliveryPage } from '#app/webhooks/queries/delivery_page'
import { webhookDeliveryResource } from '#app/webhooks/transformers/webhook_delivery_resource'
import { deliveryListValidator } from '#app/webhooks/validators/webhook_validator'

/** See webhooks.md#deliveries. */
export default class WebhookDeliveriesController {
  /** List the deliveries of a webhook, the newest first. */
  async index(ctx: HttpContext) {
    const id = idParam(ctx, 'id')
    const { status, type, ...request } = await deliveryListValidator.validate(ctx.request.qs())
    const application = await Application.withCode(textParam(ctx, 'appCode'))
    const { id: webhookId } = await Webhook.of(application, id)
    const page = pageOf(request)
    const filter = { webhookId, status, type }
    await countIfRequested(ctx, page, (whole, client) => deliveryPage(filter, whole, client))
    const deliveries = await readFresh(ctx, (client) => deliveryPage(filter, page, client))
    return successEnvelope(paged(ctx, deliveries, page).map(webhookDeliveryResource))
  }

  /**
   * Send a delivery again. The message keeps its `webhook-id`, so that receivers recognise what
   * they already have.
   */
  async replay(ctx: HttpContext) {
    const [id, deliveryId] = [idParam(ctx, 'id'), idParam(ctx, 'deliveryId')]
    const delivery = await replayDelivery(textParam(ctx, 'appCode'), id, deliveryId)
    return successEnvelope(webhookDeliveryResource(delivery))
  }
}
