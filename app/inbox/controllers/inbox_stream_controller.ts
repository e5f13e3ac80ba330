import type { HttpContext } from '@adonisjs/core/http'
import { Overloaded } from '#core/exceptions/problems'
import { sendEvents } from '#core/http/event_stream'
import { responseEnvelope } from '#core/values/envelopes'
import { isoTimestamp } from '#core/values/iso_timestamp'
import type { Caller } from '#app/auth/values/caller'
import { issueTicket } from '#app/inbox/actions/issue_ticket'
import { ExpiredToken } from '#app/inbox/exceptions'
import { parseEventId } from '#app/inbox/stream/event_id'
import { InboxFollower } from '#app/inbox/stream/inbox_follower'
import { inboxStreams } from '#app/inbox/stream/inbox_streams'
import { inboxStreamValidator } from '#app/inbox/validators/inbox_validator'

const RETRY_AFTER = { 'retry-after': '5' }

/** See inbox.md#stream. */
export default class InboxStreamController {
  /**
   * Follow the caller's inbox. Streams new items and changes as Server-Sent Events, until the token
   * or the ticket's token expires. `Last-Event-ID`, or `lastEventId` in the query, resumes it.
   *
   * @produces text/event-stream
   */
  async show(ctx: HttpContext) {
    const { lastEventId } = await inboxStreamValidator.validate(ctx.request.qs())
    const header = ctx.request.header('last-event-id')
    const [field, id] = header ? ['last-event-id', header] : ['lastEventId', lastEventId]
    const position = id ? parseEventId(id, field!) : null
    requireValidToken(ctx.caller)
    if (inboxStreams.isFull) throw new Overloaded({ headers: RETRY_AFTER })
    // From here on, no problem can be sent.
    await inboxStreams.start()
    const { email, subject, expiresAt, sessionId } = ctx.caller
    const caller = { email, subject, expiresAt, sessionId }
    sendEvents(ctx, () => {
      const follower = new InboxFollower(caller, position, ctx.response.response)
      inboxStreams.follow(follower)
      return follower
    })
  }

  /**
   * Get a ticket for the stream of the caller's inbox. A browser's `EventSource` passes it as
   * `?ticket=`, because it cannot set headers. It opens one stream, within 30 seconds.
   */
  async ticket({ caller, response }: HttpContext) {
    requireValidToken(caller)
    const { ticket, validUntil } = await issueTicket(caller)
    response.header('cache-control', 'no-store')
    return response.created(responseEnvelope({ ticket, expiresAt: isoTimestamp(validUntil) }))
  }
}

/** A stream would end immediately. @throws ExpiredToken */
function requireValidToken({ expiresAt }: Pick<Caller, 'expiresAt'>) {
  if (expiresAt <= Date.now()) throw new ExpiredToken()
}
