import type { HttpContext } from '@adonisjs/core/http'
import { readUnsubscription } from '#app/delivery/actions/read_unsubscription'
import { unsubscribe } from '#app/delivery/actions/unsubscribe'
import { confirmPage, donePage } from '#app/delivery/pages/unsubscribe_page'
import {
  UNSUBSCRIBE_LANGUAGES,
  type UnsubscribeLanguage,
} from '#app/notifications/values/unsubscribe_texts'
import { readOneClick } from '#app/delivery/validators/one_click'
import { textParam } from '#core/http/path_params'
import { PLAIN_POLICY, protectPage } from '#core/pages/protect_page'

/** One-click unsubscribing (RFC 8058, delivery.md#unsubscribe-link). */
export default class UnsubscribeController {
  /** Show the unsubscribe page. It asks for confirmation and changes nothing. */
  async show(ctx: HttpContext) {
    const { type } = await readUnsubscription(textParam(ctx, 'token'))
    return this.#sendPage(ctx, confirmPage(type, languageOf(ctx)))
  }

  /** Unsubscribe from the mails of a notification type. */
  async store(ctx: HttpContext) {
    await readOneClick(ctx)
    const { type } = await unsubscribe(textParam(ctx, 'token'))
    return this.#sendPage(ctx, donePage(type, languageOf(ctx)))
  }

  #sendPage(ctx: HttpContext, html: string) {
    protectPage(ctx, PLAIN_POLICY)
    ctx.response
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(html)
  }
}

/** The browser's language, because the user's own would reveal something about them. */
const languageOf = ({ request }: HttpContext): UnsubscribeLanguage =>
  (request.language([...UNSUBSCRIBE_LANGUAGES]) as UnsubscribeLanguage | null) ?? 'en'
