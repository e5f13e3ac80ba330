import Notification from '#app/notifications/models/notification'

/** The push message of a message in a digest waited for quiet hours, and now has nowhere to go. */
export const leaveToDigest = (id: number) =>
  Notification.query()
    .where({ id, status: 'scheduled', statusReason: 'QUIET_HOURS' })
    .update({ status: 'skipped', status_reason: 'NO_CHANNEL' })
