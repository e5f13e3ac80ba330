import type { HttpContext } from '@adonisjs/core/http'
import { MEDIA_TYPE, exportFormat } from '#core/http/export_format'
import { countIfRequested } from '#core/http/lists'
import { pageOf, paged } from '#core/http/paging'
import { idParam, textParam } from '#core/http/path_params'
import { readFresh } from '#core/http/read_fresh'
import { inSearchTurn } from '#core/http/search_turn'
import { successEnvelope } from '#core/values/envelopes'
import { countReasons } from '#app/broadcasts/actions/count_reasons'
import { readRecipientPage } from '#app/broadcasts/actions/read_recipient_page'
import Broadcast from '#app/broadcasts/models/broadcast'
import { recipientList } from '#app/broadcasts/queries/recipient_list'
import {
  broadcastRecipientResource,
  recipientsCsv,
} from '#app/broadcasts/transformers/broadcast_recipient_resource'
import { recipientPageValidator } from '#app/broadcasts/validators/broadcast_validator'

/** See broadcasts.md#recipients. */
export default class BroadcastRecipientsController {
  /**
   * List the recipients of a broadcast, in the order in which they were stored. `Accept` chooses
   * JSON, CSV or newline-delimited JSON.
   */
  async index(ctx: HttpContext) {
    const { id: broadcastId } = await Broadcast.of(textParam(ctx, 'appCode'), idParam(ctx, 'id'))
    const request = await recipientPageValidator.validate(ctx.request.qs())
    const { status } = request
    const page = pageOf(request)
    const filter = { broadcastId, status }
    const read = () => readFresh(ctx, (client) => readRecipientPage(filter, page, client))
    const found = await inSearchTurn(ctx, read)
    await countIfRequested(ctx, page, (whole, client) => recipientList(filter, whole, client))
    const recipients = paged(ctx, found, page)
    switch (exportFormat(ctx)) {
      case 'json':
        return successEnvelope(recipients.map(broadcastRecipientResource))
      case 'csv':
        return ctx.response
          .status(200)
          .header('content-type', MEDIA_TYPE.csv)
          .send(recipientsCsv(recipients))
      case 'ndjson':
        return ctx.response
          .status(200)
          .header('content-type', MEDIA_TYPE.ndjson)
          .send(ndjson(recipients))
    }
  }

  /**
   * Count why recipients of a broadcast failed or were skipped. Up to 10,000 of each are examined.
   */
  async reasons(ctx: HttpContext) {
    const { id } = await Broadcast.of(textParam(ctx, 'appCode'), idParam(ctx, 'id'))
    const read = () => readFresh(ctx, (client) => countReasons(id, client))
    return successEnvelope(await inSearchTurn(ctx, read))
  }
}

const ndjson = (recipients: Parameters<typeof broadcastRecipientResource>[0][]) =>
  recipients.map((each) => `${JSON.stringify(broadcastRecipientResource(each))}\n`).join('')
