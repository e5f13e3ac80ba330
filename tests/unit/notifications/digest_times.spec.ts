import fc from 'fast-check'
import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import {
  DIGEST_FREQUENCIES,
  type DigestFrequency,
  digestOf,
  nextDigestAt,
} from '#app/notifications/values/digest_frequency'

const at = (text: string, zone = 'utc') => DateTime.fromISO(text, { zone }).toUTC()
const next = (frequency: DigestFrequency, zone: string, local: string) =>
  nextDigestAt(frequency, zone, at(local, zone)).setZone(zone).toISO({
    suppressMilliseconds: true,
    suppressSeconds: true,
  })

test.group('When a digest is due', () => {
  test('{frequency} after {local} in {zone} at {due}')
    .with([
      { frequency: 'hourly', zone: 'UTC', local: '2026-11-23T10:00', due: '2026-11-23T11:00Z' },
      { frequency: 'hourly', zone: 'UTC', local: '2026-12-31T23:59', due: '2027-01-01T00:00Z' },
      // Their clocks differ from UTC by half an hour.
      {
        frequency: 'hourly',
        zone: 'Asia/Kolkata',
        local: '2026-11-23T10:10',
        due: '2026-11-23T11:00+05:30',
      },
      // The hour from two to three does not exist, and then exists twice.
      {
        frequency: 'hourly',
        zone: 'Europe/Prague',
        local: '2026-03-29T01:30',
        due: '2026-03-29T03:00+02:00',
      },
      {
        frequency: 'hourly',
        zone: 'Europe/Prague',
        local: '2026-10-25T02:30+02:00',
        due: '2026-10-25T02:00+01:00',
      },
      // Its clocks change by half an hour.
      {
        frequency: 'hourly',
        zone: 'Australia/Lord_Howe',
        local: '2026-04-05T01:45+10:30',
        due: '2026-04-05T02:00+10:30',
      },
      {
        frequency: 'hourly',
        zone: 'Australia/Lord_Howe',
        local: '2026-10-04T01:45',
        due: '2026-10-04T03:00+11:00',
      },
      {
        frequency: 'daily',
        zone: 'Europe/Prague',
        local: '2026-11-23T07:59',
        due: '2026-11-23T08:00+01:00',
      },
      {
        frequency: 'daily',
        zone: 'Europe/Prague',
        local: '2026-11-23T08:00',
        due: '2026-11-24T08:00+01:00',
      },
      {
        frequency: 'daily',
        zone: 'Europe/Prague',
        local: '2026-03-28T20:00',
        due: '2026-03-29T08:00+02:00',
      },
      {
        frequency: 'daily',
        zone: 'Europe/Prague',
        local: '2026-10-24T20:00',
        due: '2026-10-25T08:00+01:00',
      },
      {
        frequency: 'daily',
        zone: 'America/New_York',
        local: '2026-03-07T20:00',
        due: '2026-03-08T08:00-04:00',
      },
      {
        frequency: 'daily',
        zone: 'America/New_York',
        local: '2026-10-31T20:00',
        due: '2026-11-01T08:00-05:00',
      },
      {
        frequency: 'weekly',
        zone: 'America/New_York',
        local: '2026-11-01T01:30-04:00',
        due: '2026-11-02T08:00-05:00',
      },
      {
        frequency: 'weekly',
        zone: 'Europe/Prague',
        local: '2026-11-23T07:00',
        due: '2026-11-23T08:00+01:00',
      },
      {
        frequency: 'weekly',
        zone: 'Europe/Prague',
        local: '2026-11-23T08:00',
        due: '2026-11-30T08:00+01:00',
      },
      { frequency: 'daily', zone: 'Nowhere/Else', local: '', due: '' },
    ] as { frequency: DigestFrequency; zone: string; local: string; due: string }[])
    .run(({ assert }, { frequency, zone, local, due }) => {
      if (zone !== 'Nowhere/Else') return assert.equal(next(frequency, zone, local), due)
      const unknown = nextDigestAt(frequency, zone, at('2026-11-23T07:00'))
      assert.equal(unknown.toISO(), '2026-11-23T08:00:00.000Z', 'UTC counts')
    })

  test('is always ahead, at a full hour of the clock, and soon enough', ({ assert }) => {
    const zones = ['UTC', 'Europe/Prague', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia']
    const moments = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2030, 0, 1) })
    const longest = { hourly: 1, daily: 25, weekly: 7 * 24 + 1 }
    fc.assert(
      fc.property(
        fc.constantFrom(...DIGEST_FREQUENCIES),
        fc.constantFrom(...zones),
        moments,
        (frequency, zone, millis) => {
          const now = DateTime.fromMillis(millis, { zone: 'utc' })
          const due = nextDigestAt(frequency, zone, now)
          const local = due.setZone(zone)
          assert.isAbove(due.toMillis(), millis)
          assert.isAtMost(due.diff(now).as('hours'), longest[frequency])
          assert.equal(local.minute + local.second + local.millisecond, 0)
          if (frequency !== 'hourly') assert.equal(local.hour, 8)
          if (frequency === 'weekly') assert.equal(local.weekday, 1)
        }
      ),
      { numRuns: 2_000 }
    )
  })
})

test('A digest is the choice of the user, unless the type does not allow it', ({ assert }) => {
  const digest = { allowed: ['daily' as const], default: 'daily' as const, templateKey: null }
  const type = { system: false, userCanDisable: true, digest }
  assert.equal(digestOf(type, null), 'daily')
  assert.equal(digestOf(type, 'off'), 'off')
  assert.equal(digestOf(type, 'weekly'), 'daily')
  assert.equal(digestOf({ ...type, userCanDisable: false }, 'off'), 'daily')
  assert.equal(digestOf({ ...type, system: true }, null), 'off')
  assert.equal(digestOf({ ...type, digest: null }, 'daily'), 'off')
})
