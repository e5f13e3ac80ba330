import { test } from '@japa/runner'
import fc from 'fast-check'
import { DateTime } from 'luxon'
import { coversWholeWeek, quietUntil } from '#app/notifications/values/quiet_until'
import type { QuietHours, QuietWindow } from '#app/profiles/values/quiet_hours'

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7]
const NIGHT: QuietWindow = { days: EVERY_DAY, from: '22:00', to: '07:00' }

const hoursIn = (timeZone: string, ...windows: QuietWindow[]): QuietHours => ({
  enabled: true,
  timeZone,
  windows,
})

/** When the night ends that contains the local time, in local time with its offset. */
function endIn(timeZone: string, local: string, ...windows: QuietWindow[]) {
  const now = DateTime.fromISO(local, { zone: timeZone })
  const end = quietUntil(hoursIn(timeZone, ...windows), now)
  return end && end.setZone(timeZone).toISO({ suppressMilliseconds: true, suppressSeconds: true })
}

const PRAGUE = 'Europe/Prague'
const NEW_YORK = 'America/New_York'

test.group('Quiet hours', () => {
  test('end at the local time of the user: {local} in {zone}')
    .with([
      { zone: PRAGUE, local: '2027-01-15T21:59:59', end: null },
      { zone: PRAGUE, local: '2027-01-15T22:00', end: '2027-01-16T07:00+01:00' },
      { zone: PRAGUE, local: '2027-01-16T06:59:59', end: '2027-01-16T07:00+01:00' },
      { zone: PRAGUE, local: '2027-01-16T07:00', end: null },
      // The clock goes forward, and back, between the start and the end of the night.
      { zone: PRAGUE, local: '2027-03-27T23:30', end: '2027-03-28T07:00+02:00' },
      { zone: PRAGUE, local: '2027-10-30T23:30', end: '2027-10-31T07:00+01:00' },
      { zone: NEW_YORK, local: '2027-03-13T23:30', end: '2027-03-14T07:00-04:00' },
      { zone: NEW_YORK, local: '2027-11-06T23:30', end: '2027-11-07T07:00-05:00' },
    ])
    .run(({ assert }, { zone, local, end }) => {
      assert.equal(endIn(zone, local, NIGHT), end)
    })

  test('that end in an hour that is skipped end with the change of the clock', ({ assert }) => {
    const window = { days: EVERY_DAY, from: '22:00', to: '02:30' }
    assert.equal(endIn(PRAGUE, '2027-03-28T01:00', window), '2027-03-28T03:00+02:00')
    assert.equal(endIn(NEW_YORK, '2027-03-14T01:00', window), '2027-03-14T03:00-04:00')
  })

  test('within an hour that is repeated are repeated', ({ assert }) => {
    const window = { days: EVERY_DAY, from: '02:00', to: '02:30' }
    const at = (utc: string) => quietUntil(hoursIn(PRAGUE, window), DateTime.fromISO(utc))?.toISO()
    assert.equal(at('2027-10-31T00:10:00Z'), '2027-10-31T00:30:00.000Z')
    assert.isUndefined(at('2027-10-31T00:40:00Z'))
    assert.equal(at('2027-10-31T01:10:00Z'), '2027-10-31T01:30:00.000Z')
  })

  test('belong to the day on which they begin', ({ assert }) => {
    const friday = { days: [5], from: '22:00', to: '07:00' }
    assert.equal(endIn(PRAGUE, '2027-01-15T23:00', friday), '2027-01-16T07:00+01:00')
    assert.equal(endIn(PRAGUE, '2027-01-16T06:00', friday), '2027-01-16T07:00+01:00')
    assert.isNull(endIn(PRAGUE, '2027-01-16T23:00', friday))
    assert.isNull(endIn(PRAGUE, '2027-01-15T06:00', friday))
    const sunday = { days: [7], from: '20:00', to: '08:00' }
    assert.equal(endIn(PRAGUE, '2027-01-18T01:00', sunday), '2027-01-18T08:00+01:00')
  })

  test('that are switched off, or have no windows, or an unknown zone, are none', ({ assert }) => {
    const night = DateTime.fromISO('2027-01-15T23:00:00Z')
    assert.isNull(quietUntil(null, night))
    assert.isNull(quietUntil({ ...hoursIn('UTC', NIGHT), enabled: false }, night))
    assert.isNull(quietUntil(hoursIn('UTC'), night))
    assert.isNull(quietUntil(hoursIn('Nowhere/Nothing', NIGHT), night))
    assert.isNotNull(quietUntil(hoursIn('UTC', NIGHT), night))
  })

  test('that leave no moment of a week are recognised', ({ assert }) => {
    const day = { days: EVERY_DAY, from: '07:00', to: '22:00' }
    assert.isTrue(coversWholeWeek([NIGHT, day]))
    assert.isTrue(
      coversWholeWeek([
        { ...day, to: '21:00' },
        { ...NIGHT, from: '20:59' },
      ])
    )
    assert.isFalse(coversWholeWeek([NIGHT, { ...day, to: '21:59' }]))
    assert.isFalse(coversWholeWeek([NIGHT, { ...day, days: [1, 2, 3, 4, 5, 6] }]))
    assert.isFalse(coversWholeWeek([]))
  })
})

/** Walks through the minutes and asks for each whether the clock on the wall shows a quiet time. */
function naiveEnd({ timeZone, windows }: QuietHours, now: Date): Date | null {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const names = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
  const isQuiet = (moment: Date) => {
    const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]))
    const day = names.indexOf(parts.get('weekday')!) + 1
    const time = `${parts.get('hour')}:${parts.get('minute')}`
    const yesterday = day === 1 ? 7 : day - 1
    return windows.some(({ days, from, to }) =>
      from < to
        ? days.includes(day) && from <= time && time < to
        : (days.includes(day) && from <= time) || (days.includes(yesterday) && time < to)
    )
  }
  if (!isQuiet(now)) return null
  const moment = new Date(Math.floor(now.getTime() / 60_000) * 60_000)
  do moment.setTime(moment.getTime() + 60_000)
  while (isQuiet(moment))
  return moment
}

const times = fc
  .record({ hour: fc.nat(23), minute: fc.constantFrom(0, 0, 15, 30, 59) })
  .map(({ hour, minute }) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`)

const windows = fc
  .record({
    days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
    from: times,
    to: times,
  })
  .filter(({ from, to }) => from !== to)

const ZONES = [
  'UTC',
  PRAGUE,
  NEW_YORK,
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
]
/** Around changes of the clock of these zones, and anywhere in two years. */
const CHANGES = ['2027-03-28T01:00Z', '2027-10-31T01:00Z', '2027-03-14T07:00Z', '2027-11-07T06:00Z']
const moments = fc.oneof(
  fc
    .record({ change: fc.constantFrom(...CHANGES), minutes: fc.integer({ min: -2_000, max: 300 }) })
    .map(({ change, minutes }) => new Date(Date.parse(change) + minutes * 60_000 + 12_345)),
  fc.date({ min: new Date('2027-01-01'), max: new Date('2028-12-31'), noInvalidDate: true })
)

test('The end of quiet hours is the first minute that the clock shows outside of them', ({
  assert,
}) => {
  const hours = fc
    .record({
      enabled: fc.constant(true),
      timeZone: fc.constantFrom(...ZONES),
      windows: fc.array(windows, { minLength: 1, maxLength: 5 }),
    })
    .filter((one) => !coversWholeWeek(one.windows))
  fc.assert(
    fc.property(hours, moments, (one, now) => {
      const end = quietUntil(one, DateTime.fromJSDate(now))
      assert.deepEqual(end?.toJSDate() ?? null, naiveEnd(one, now))
    }),
    { numRuns: 200 }
  )
}).timeout(60_000)
