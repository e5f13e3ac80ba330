import { DateTime } from 'luxon'
import { recordChange } from '#core/audit/record_change'
import { requireRoom } from '#core/database/require_room'
import { transaction } from '#core/database/transaction'
import { checkBroadcastRequest } from '#app/broadcasts/actions/check_broadcast_request'
import { keepCreated } from '#app/broadcasts/actions/create_once_per_key'
import { TooManyBroadcasts } from '#app/broadcasts/exceptions'
import Broadcast from '#app/broadcasts/models/broadcast'
import { addListedRecipients } from '#app/broadcasts/queries/audience_sources'
import { broadcastState } from '#app/broadcasts/transformers/broadcast_state'
import { UNENDED } from '#app/broadcasts/values/broadcast_status'
import { broadcastTarget } from '#app/broadcasts/values/audit_targets'
import type { BroadcastAuthor, BroadcastRequest } from '#app/broadcasts/values/broadcast_request'
import type { KeyClaim } from '#app/delivery/values/key_claim'
import { wakeBackgroundWork } from '#core/background/background_worker'
import broadcastsConfig from '#config/broadcasts'

/**
 * Stores a broadcast for the workers.
 * @param key of the request, which then creates no second one
 * @throws IdempotencyKeyInUse, TooManyBroadcasts, and what `checkBroadcastRequest` throws
 */
export async function createBroadcast(
  appCode: string,
  request: BroadcastRequest,
  author: BroadcastAuthor,
  key?: KeyClaim
): Promise<Broadcast> {
  const { application, audience, template, scheduledAt } = await checkBroadcastRequest(
    appCode,
    request,
    author
  )
  const broadcast = await transaction(async (trx) => {
    const unended = Broadcast.query({ client: trx })
      .where('applicationId', application.id)
      .whereIn('status', [...UNENDED])
    await requireRoom(unended, broadcastsConfig.maxUnended, TooManyBroadcasts)
    const now = DateTime.utc()
    const created = await Broadcast.create(
      {
        applicationId: application.id,
        appCode: application.code,
        type: request.type,
        templateKey: template?.key ?? null,
        data: request.data ?? {},
        locale: request.locale ?? null,
        audience,
        ratePerSecond: request.ratePerSecond ?? null,
        createdBy: author.email,
        outsideRecipients: author.mayReachOutsiders || application.outsideRecipients,
        status: scheduledAt ? 'scheduled' : 'running',
        scheduledAt,
        startedAt: scheduledAt ? null : now,
        createdAt: now,
      },
      { client: trx }
    )
    await created.refresh()
    if (key) await keepCreated(key, created, trx)
    await recordChange(trx, {
      action: 'broadcast.created',
      application,
      target: broadcastTarget(created),
      before: null,
      after: broadcastState(created),
    })
    if (request.audience.kind !== 'emails') return created
    const total = await addListedRecipients(created.id, request.audience.emails, trx)
    return created.merge({ total, expanded: true }).save()
  })
  wakeBackgroundWork()
  return broadcast
}
