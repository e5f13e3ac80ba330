import type { HttpContext } from '@adonisjs/core/http'
import { readUnsubscription, unsubscribe } from '#app/delivery/actions/unsubscribe'
import { confirmPage, donePage } from '#app/delivery/pages/unsubscribe_page'
import { readOneClick } from '#app/delivery/validators/one_click'
import { textParam } from '#core/http/path_params'

/** The page and the one click behind `List-Unsubscribe` (RFC 8058): the link is all the proof there is. */
export default class UnsubscribeController {
  /** Shows the page that asks whether to unsubscribe. */
  async show(ctx: HttpContext) {
    const { type } = await readUnsubscription(textParam(ctx, 'token'))
    return this.#page(ctx, confirmPage(type))
  }

  /** Unsubscribes with one click. */
  async store(ctx: HttpContext) {
    await readOneClick(ctx)
    const { type } = await unsubscribe(textParam(ctx, 'token'))
    return this.#page(ctx, donePage(type))
  }

  /** Nothing is loaded from elsewhere and the link tells no one, since whoever has it can use it. */
  #page({ response }: HttpContext, html: string) {
    response
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'no-referrer')
      .header('x-content-type-options', 'nosniff')
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
      )
      .send(html)
  }
}
