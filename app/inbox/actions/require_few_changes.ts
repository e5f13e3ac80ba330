import { RateLimited } from '#core/exceptions/problems'
import { WindowCounter } from '#core/network/window_counter'
import inboxConfig from '#config/inbox'

const HOUR_MS = 3_600_000

const changes = new WindowCounter({ lengthMs: HOUR_MS })

/**
 * Counts a change that a user makes to items of their inbox. Each is a row for two days.
 * @throws RateLimited
 */
export function requireFewChanges(email: string) {
  if (changes.add(email) <= inboxConfig.changesPerHour) return
  throw new RateLimited({
    detail: 'You have changed too many items of your inbox within an hour',
    headers: { 'retry-after': String(changes.secondsLeft(email)) },
  })
}
