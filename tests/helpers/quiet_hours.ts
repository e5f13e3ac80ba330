import { DateTime } from 'luxon'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import User from '#app/profiles/models/user'

/** Quiet hours that began an hour ago and end in an hour. */
export function quietHoursNow() {
  const now = DateTime.utc()
  const time = (hours: number) => now.plus({ hours }).toFormat('HH:mm')
  const windows = [{ days: [1, 2, 3, 4, 5, 6, 7], from: time(-1), to: time(1) }]
  return { enabled: true, timeZone: 'UTC', windows }
}

export async function beQuiet(email: string) {
  const user = await ensureUser({ email })
  await user.merge({ quietHours: quietHoursNow() }).save()
}

export const endQuietHours = (email: string) =>
  User.query().where({ email }).update({ quiet_hours: null })
