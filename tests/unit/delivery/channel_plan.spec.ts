import { test } from '@japa/runner'
import fc from 'fast-check'
import { type PlanInput, planChannels } from '#app/delivery/values/channel_plan'

const inputs: fc.Arbitrary<PlanInput> = fc.record({
  type: fc.record({
    system: fc.boolean(),
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
})

/** An independent implementation of the rule, as a table of obstacles per channel. */
function oracle({ type, preference, notificationsEnabled, active, reachable }: PlanInput) {
  const mayChoose = type.userCanDisable && !type.system && preference !== null
  const wants = {
    email: mayChoose ? preference.email : type.defaultEmail,
    push: mayChoose ? preference.push : type.defaultPush,
  }
  const allowed = { email: type.emailEnabled, push: type.pushEnabled }
  const muted = !active || (!notificationsEnabled && !type.system)
  return (['email', 'push'] as const).filter(
    (channel) => ![muted, !allowed[channel], !wants[channel], !reachable[channel]].includes(true)
  )
}

test.group('Channel planning', () => {
  test('agrees with the oracle on every combination', ({ assert }) => {
    fc.assert(
      fc.property(inputs, (input) => {
        const { channels, skipped } = planChannels(input)
        assert.deepEqual(channels, oracle(input))
        assert.equal(skipped === null, channels.length > 0)
      }),
      { numRuns: 3_000 }
    )
  })

  test('reports NOTIFICATIONS_DISABLED rather than NO_CHANNEL', ({ assert }) => {
    fc.assert(
      fc.property(inputs, (input) => {
        const { skipped } = planChannels(input)
        const muted = !input.active || (!input.notificationsEnabled && !input.type.system)
        if (muted) assert.match(skipped!, /^NOTIFICATIONS_DISABLED/)
        else assert.isTrue(skipped === null || skipped === 'NO_CHANNEL')
      })
    )
  })

  test('never overrides the switches of the administrator', ({ assert }) => {
    fc.assert(
      fc.property(inputs, (input) => {
        const { channels } = planChannels(input)
        if (!input.type.emailEnabled) assert.notInclude(channels, 'email')
        if (!input.type.pushEnabled) assert.notInclude(channels, 'push')
      })
    )
  })
})
