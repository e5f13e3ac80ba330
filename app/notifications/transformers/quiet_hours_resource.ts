import type User from '#app/profiles/models/user'

/** By default switched off, without windows, in the time zone of the profile. */
export function quietHoursResource({ quietHours, timezone }: User) {
  return {
    enabled: quietHours?.enabled ?? false,
    timeZone: quietHours?.timeZone ?? timezone ?? 'UTC',
    windows: quietHours?.windows ?? [],
  }
}
