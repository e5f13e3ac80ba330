import type { HttpContext } from '@adonisjs/core/http'
import { idParam, textParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import { sendTestMail } from '#app/delivery/actions/send_test_mail'
import { templateTestValidator } from '#app/delivery/validators/notification_validator'

/** See delivery.md#test-sends. */
export default class TemplateTestsController {
  /** Send a language version to the caller as a test. */
  async store(ctx: HttpContext) {
    const templateId = idParam(ctx, 'id')
    const locale = textParam(ctx, 'locale', 35)
    const { data = {} } = await templateTestValidator.validate(ctx.request.body())
    return successEnvelope(
      await sendTestMail({ templateId, locale, data, caller: ctx.caller.email })
    )
  }
}
