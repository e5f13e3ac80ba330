import type { HttpContext } from '@adonisjs/core/http'
import { idParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import { sendBrandTest } from '#app/delivery/brand_tests/send_brand_test'

/** See delivery.md#brand-tests. */
export default class BrandTestsController {
  /**
   * Send a test mail of a brand to the caller. Uses the stored sender, SMTP account and DKIM key of
   * the brand, and those of the platform for what the brand does not have. The response is 200 also
   * if the mail server does not accept the mail; `status` and `reason` say what happened.
   */
  async store(ctx: HttpContext) {
    return successEnvelope(await sendBrandTest(idParam(ctx, 'id'), ctx.caller.email))
  }
}
