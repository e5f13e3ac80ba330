import { ApplicationNotFound } from '#app/applications/exceptions'
import type ApplicationDeleted from '#app/applications/events/application_deleted'
import { describeFailure } from '#app/broadcasts/actions/read_broadcast_content'
import Broadcast from '#app/broadcasts/models/broadcast'

/** See broadcasts.md#broadcasts-of-deleted-applications. */
export default class EndBroadcasts {
  async handle({ application, trx, ended }: ApplicationDeleted) {
    const reason = describeFailure(new ApplicationNotFound())
    const count = await Broadcast.failAllOf(application.id, reason, trx)
    if (count > 0) ended.push({ kind: 'broadcast', count, names: [] })
  }
}
