import type { HttpContext } from '@adonisjs/core/http'
import { inChangeBudget } from '#core/database/large_changes'
import { changerOf } from '#core/http/caller_name'
import { ifMatch, tagged } from '#core/http/etag'
import { idParam, textParam } from '#core/http/path_params'
import { dryRunValidator } from '#core/validation/dry_run_validator'
import { successEnvelope } from '#core/values/envelopes'
import Application from '#app/applications/models/application'
import { createWebhook } from '#app/webhooks/actions/create_webhook'
import { deleteWebhook } from '#app/webhooks/actions/delete_webhook'
import { rotateSecret } from '#app/webhooks/actions/rotate_secret'
import { sendTestEvent } from '#app/webhooks/actions/send_test_event'
import { updateWebhook } from '#app/webhooks/actions/update_webhook'
import Webhook from '#app/webhooks/models/webhook'
import { webhookDeliveryResource } from '#app/webhooks/transformers/webhook_delivery_resource'
import {
  newWebhookResource,
  webhookResource,
  webhookSettings,
} from '#app/webhooks/transformers/webhook_resource'
import {
  createWebhookValidator,
  updateWebhookValidator,
} from '#app/webhooks/validators/webhook_validator'

/** See webhooks.md#webhooks. */
export default class WebhooksController {
  /** List the webhooks of an application, with the state of their deliveries. */
  async index(ctx: HttpContext) {
    const { id: applicationId } = await Application.withCode(textParam(ctx, 'appCode'))
    const webhooks = await Webhook.query().where({ applicationId }).orderBy('id')
    return successEnvelope(webhooks.map(webhookResource))
  }

  /** Get a webhook. */
  async show(ctx: HttpContext) {
    const id = idParam(ctx, 'id')
    const application = await Application.withCode(textParam(ctx, 'appCode'))
    const webhook = await Webhook.of(application, id)
    tagged(ctx, webhookSettings(webhook))
    return successEnvelope(webhookResource(webhook))
  }

  /**
   * Create a webhook. The response is the only place that shows its secret, with which you verify
   * messages.
   */
  async store(ctx: HttpContext) {
    const fields = await createWebhookValidator.validate(ctx.request.body())
    const { webhook, secret } = await createWebhook(textParam(ctx, 'appCode'), fields)
    tagged(ctx, webhookSettings(webhook))
    return ctx.response.created(successEnvelope(newWebhookResource(webhook, secret)))
  }

  /**
   * Update a webhook. Fields that are not sent stay as they are. While a webhook is disabled, no
   * events are stored for it, and those that wait are not sent.
   */
  async update(ctx: HttpContext) {
    const id = idParam(ctx, 'id')
    const fields = await updateWebhookValidator.validate(ctx.request.body())
    const fresh = ifMatch(ctx, webhookSettings)
    const webhook = await updateWebhook(textParam(ctx, 'appCode'), id, fields, fresh)
    tagged(ctx, webhookSettings(webhook))
    return successEnvelope(webhookResource(webhook))
  }

  /**
   * Delete a webhook with its deliveries. With `dryRun=true`, nothing is deleted and the response
   * lists what would be.
   */
  async destroy(ctx: HttpContext) {
    const { dryRun } = await dryRunValidator.validate(ctx.request.qs())
    const options = { dryRun, requireFresh: ifMatch(ctx, webhookSettings) }
    const preview = await inChangeBudget(changerOf(ctx), () =>
      deleteWebhook(textParam(ctx, 'appCode'), idParam(ctx, 'id'), options)
    )
    return preview ? successEnvelope(preview) : ctx.response.noContent()
  }

  /**
   * Rotate the secret of a webhook. The response is the only place that shows the new one. For 24
   * hours, messages are signed with both.
   */
  async rotateSecret(ctx: HttpContext) {
    const id = idParam(ctx, 'id')
    const { webhook, secret } = await rotateSecret(textParam(ctx, 'appCode'), id)
    return successEnvelope(newWebhookResource(webhook, secret))
  }

  /** Send a test event to a webhook. Its type is `webhook.test`. */
  async test(ctx: HttpContext) {
    const id = idParam(ctx, 'id')
    const delivery = await sendTestEvent(textParam(ctx, 'appCode'), id)
    return ctx.response.created(successEnvelope(webhookDeliveryResource(delivery)))
  }
}
