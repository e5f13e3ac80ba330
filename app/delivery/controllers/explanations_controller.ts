import type { HttpContext } from '@adonisjs/core/http'
import { idParam, textParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import Application from '#app/applications/models/application'
import type { InternalCaller } from '#app/auth/values/internal_caller'
import { explainSend } from '#app/delivery/actions/explain_send'
import { withinAccess } from '#app/delivery/actions/find_log_entry'
import { readExplanation } from '#app/delivery/actions/read_explanation'
import {
  deliveryExplanationResource,
  recordedExplanationResource,
} from '#app/delivery/transformers/delivery_explanation_resource'
import {
  explanationValidator,
  notificationValidator,
} from '#app/delivery/validators/notification_validator'

const isPlatform = ({ kind }: InternalCaller) => kind === 'platform'

/** In the message budget, so that they delay no sends. */
const PANEL_USERS = 'panel users'

/** See delivery.md#explanations. */
export default class ExplanationsController {
  /**
   * Explain what a send would do, without sending. The body is that of a send. A send that would be
   * refused is explained too. For an application key, users who do not belong to the application
   * are treated as unknown.
   */
  async explain(ctx: HttpContext) {
    const request = await notificationValidator.validate(ctx.request.body())
    const caller = ctx.internalCaller
    const explanation = await explainSend(request, { caller, seesEveryone: isPlatform(caller) })
    return successEnvelope(deliveryExplanationResource(explanation))
  }

  /**
   * Explain what was decided when a notification was sent. An application key sees only what its
   * application has sent, and nothing about recipients who do not belong to it.
   */
  async showInternal(ctx: HttpContext) {
    const id = idParam(ctx, 'id')
    const caller = ctx.internalCaller
    const read = await withinAccess(caller, (scope) =>
      readExplanation(id, scope, isPlatform(caller))
    )
    return successEnvelope(recordedExplanationResource(read))
  }

  /**
   * Explain what a send of the application would do, without sending. Users who do not belong to it
   * are treated as unknown unless the caller is a global panel admin.
   */
  async explainForAdmin(ctx: HttpContext) {
    const appCode = textParam(ctx, 'appCode')
    await Application.withCode(appCode)
    const message = await explanationValidator.validate(ctx.request.body())
    const explanation = await explainSend(
      { ...message, appCode },
      {
        caller: { kind: 'platform' },
        holder: PANEL_USERS,
        seesEveryone: ctx.panelAccess.isGlobalAdmin,
      }
    )
    return successEnvelope(deliveryExplanationResource(explanation))
  }

  /**
   * Explain what was decided when a notification of an application was sent. Those of an earlier
   * application with the same code are hidden. Nothing is said about recipients who do not
   * belong to the application unless the caller is a global panel admin.
   */
  async show(ctx: HttpContext) {
    const id = idParam(ctx, 'id')
    const { code, createdAt } = await Application.withCode(textParam(ctx, 'appCode'))
    const scope = { appCode: code, since: createdAt }
    const read = await readExplanation(id, scope, ctx.panelAccess.isGlobalAdmin)
    return successEnvelope(recordedExplanationResource(read))
  }
}
