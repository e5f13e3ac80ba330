import type User from '#app/profiles/models/user'
import { timeZoneOf } from '#app/profiles/values/time_zone_of'

/** By default switched off, without windows, in the time zone of the profile. */
export function quietHoursResource(user: User) {
  const { quietHours } = user
  return {
    enabled: quietHours?.enabled ?? false,
    timeZone: timeZoneOf(user),
    windows: quietHours?.windows ?? [],
  }
}
