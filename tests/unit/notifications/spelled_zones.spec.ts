import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import { nextDigestAt } from '#app/notifications/values/digest_frequency'
import { quietUntil } from '#app/notifications/values/quiet_until'

const NOW = DateTime.fromISO('2026-11-27T12:00:00Z', { zone: 'utc' })
const ZONE = 'Pacific/Bougainville'

/** As `PACIFIC/Bougainville`: names of time zones can be written in any case. */
const SPELLINGS = [...ZONE].map(
  (_, length) => ZONE.slice(0, length).toUpperCase() + ZONE.slice(length)
)

/** How many formats of the kind that Luxon keeps forever are made. */
function formatsDuring(work: () => void): number {
  const original = Intl.DateTimeFormat
  let made = 0
  Intl.DateTimeFormat = new Proxy(original, {
    construct(target, [locale, options]: ConstructorParameters<typeof original>) {
      if (options?.era) made++
      return new target(locale, options)
    },
  })
  try {
    work()
    return made
  } finally {
    Intl.DateTimeFormat = original
  }
}

test.group('Spellings of a time zone', () => {
  test('share what is kept in memory', ({ assert }) => {
    const windows = [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '23:59' }]
    const ends = new Set<string>()
    const made = formatsDuring(() => {
      for (const timeZone of SPELLINGS) {
        const until = quietUntil({ enabled: true, timeZone, windows }, NOW)
        ends.add(`${until?.toISO()} ${nextDigestAt('daily', timeZone, NOW).toISO()}`)
      }
    })
    assert.deepEqual([...ends], ['2026-11-27T12:59:00.000Z 2026-11-27T21:00:00.000Z'])
    assert.isAtMost(made, 1)
  })
})
