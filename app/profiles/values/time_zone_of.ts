import type User from '#app/profiles/models/user'

/** Whose clock counts for a user's quiet hours and digests. */
export const timeZoneOf = ({ quietHours, timezone }: Pick<User, 'quietHours' | 'timezone'>) =>
  quietHours?.timeZone ?? timezone ?? 'UTC'
