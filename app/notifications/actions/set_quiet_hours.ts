import { invalidField } from '#core/exceptions/problems'
import { coversWholeWeek } from '#app/notifications/values/quiet_until'
import type User from '#app/profiles/models/user'
import type { QuietHours } from '#app/profiles/values/quiet_hours'

/** @throws ValidationError if a window is empty, or the windows leave no time for messages */
export async function setQuietHours(user: User, hours: QuietHours): Promise<QuietHours> {
  const empty = hours.windows.findIndex(({ from, to }) => from === to)
  if (empty >= 0) {
    const message = 'from and to of a window must differ'
    throw invalidField(`windows.${empty}.to`, 'emptyWindow', message)
  }
  if (coversWholeWeek(hours.windows)) {
    const message = 'The windows must leave a part of the week in which messages can be delivered'
    throw invalidField('windows', 'wholeWeek', message)
  }
  await user.merge({ quietHours: hours }).save()
  return hours
}
