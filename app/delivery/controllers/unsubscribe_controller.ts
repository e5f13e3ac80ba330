import type { HttpContext } from '@adonisjs/core/http'
import { readUnsubscription, unsubscribe } from '#app/delivery/actions/unsubscribe'
import { confirmPage, donePage } from '#app/delivery/pages/unsubscribe_page'
import { readOneClick } from '#app/delivery/validators/one_click'
import { textParam } from '#core/http/path_params'
import { PLAIN_POLICY, protectPage } from '#core/pages/send_page'

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

  /** The link tells no one, since whoever has it can use it. */
  #page(ctx: HttpContext, html: string) {
    protectPage(ctx, PLAIN_POLICY)
    ctx.response
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(html)
  }
}
