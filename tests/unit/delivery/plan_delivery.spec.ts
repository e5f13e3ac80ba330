import { test } from '@japa/runner'
import fc from 'fast-check'
import { DateTime } from 'luxon'
import type { DeliveryPlan, PlanInput } from '#app/delivery/planning/delivery_plan'
import { planDelivery } from '#app/delivery/planning/plan_delivery'

const moments = fc
  .integer({ min: 1_700_000_000_000, max: 1_900_000_000_000 })
  .map((millis) => DateTime.fromMillis(millis, { zone: 'utc' }))

const inputs: fc.Arbitrary<PlanInput> = fc.record({
  type: fc.record({
    system: fc.boolean(),
    urgent: fc.boolean(),
    userCanDisable: fc.boolean(),
    emailEnabled: fc.boolean(),
    pushEnabled: fc.boolean(),
    defaultEmail: fc.boolean(),
    defaultPush: fc.boolean(),
  }),
  preference: fc.option(fc.record({ email: fc.boolean(), push: fc.boolean() })),
  notificationsEnabled: fc.boolean(),
  active: fc.boolean(),
  reachable: fc.record({ email: fc.boolean(), push: fc.boolean() }),
  suppressed: fc.constantFrom(null, 'hard_bounce', 'complaint', 'manual', 'soft_bounces'),
  digest: fc.option(
    fc.record({ frequency: fc.constantFrom('hourly', 'daily', 'weekly'), dueAt: moments })
  ),
  quietUntil: fc.option(moments),
})

/** An independent implementation of the rule, as a table of obstacles per channel. */
function oracle(input: PlanInput) {
  const { type, preference, notificationsEnabled, active, reachable } = input
  const mayChoose = type.userCanDisable && !type.system && preference !== null
  const wants = {
    email: mayChoose ? preference.email : type.defaultEmail,
    push: mayChoose ? preference.push : type.defaultPush,
  }
  const allowed = { email: type.emailEnabled, push: type.pushEnabled }
  const muted = !active || (!notificationsEnabled && !type.system)
  const open = (['email', 'push'] as const).filter(
    (channel) => ![muted, !allowed[channel], !wants[channel], !reachable[channel]].includes(true)
  )
  const isSuppressed = input.suppressed !== null && !type.system
  const usable = open.filter((channel) => channel === 'push' || !isSuppressed)
  const isDigested = usable.includes('email') && input.digest !== null && !type.system
  return { open, usable, isDigested, isMuted: muted }
}

const forAll = (check: (input: PlanInput, plan: DeliveryPlan) => void) =>
  fc.assert(
    fc.property(inputs, (input) => check(input, planDelivery(input))),
    { numRuns: 3_000 }
  )

test.group('Delivery planning', () => {
  test('agrees with the oracle on every combination', ({ assert }) => {
    forAll((input, plan) => {
      const { usable, isDigested } = oracle(input)
      const ownChannels = usable.filter((channel) => channel === 'push' || !isDigested)
      assert.deepEqual(plan.channels, ownChannels)
      assert.equal(plan.inDigest, isDigested)
      assert.equal(plan.skipped === null, usable.length > 0)
    })
  })

  test('names the first reason for which nothing is sent', ({ assert }) => {
    forAll((input, { skipped }) => {
      const { open, usable, isMuted } = oracle(input)
      if (usable.length > 0) return assert.isNull(skipped)
      if (isMuted) return assert.match(skipped!, /^NOTIFICATIONS_DISABLED/)
      assert.equal(skipped, open.length > 0 ? 'RECIPIENT_SUPPRESSED' : 'NO_CHANNEL')
    })
  })

  test('waits for the end of quiet hours, or for the digest if nothing else is sent', ({
    assert,
  }) => {
    forAll((input, { channels, later, inDigest }) => {
      const isQuiet = input.quietUntil !== null && !input.type.system && !input.type.urgent
      if (channels.length > 0 && isQuiet) {
        return assert.deepEqual(later, { until: input.quietUntil!, reason: 'QUIET_HOURS' })
      }
      if (channels.length === 0 && inDigest) {
        return assert.deepEqual(later, { until: input.digest!.dueAt, reason: 'DIGEST' })
      }
      assert.isNull(later)
    })
  })

  test('puts all but system types into the inbox of active users who want them', ({ assert }) => {
    forAll((input, { inInbox }) => {
      assert.equal(inInbox, !input.type.system && !oracle(input).isMuted)
    })
  })

  test('gives a step for everything that it decided', ({ assert }) => {
    forAll((_input, { channels, later, inDigest, skipped, steps }) => {
      const stopped = new Set(
        steps.filter(({ outcome }) => outcome === 'stopped').map(({ evidence }) => evidence.channel)
      )
      for (const channel of ['email', 'push'] as const) {
        const isDelivered = channels.includes(channel) || (channel === 'email' && inDigest)
        assert.equal(stopped.has(channel) || stopped.has(undefined), !isDelivered)
      }
      const deferred = steps.filter(({ outcome }) => outcome === 'deferred')
      assert.equal(deferred.length > 0, later !== null || inDigest)
      if (skipped !== null) assert.isEmpty(deferred)
    })
  })
})
