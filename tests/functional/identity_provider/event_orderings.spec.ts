import { test } from '@japa/runner'
import fc from 'fast-check'
import User from '#app/profiles/models/user'
import { handleLifecycleEvent } from '#app/identity_provider/user_lifecycle/handle_lifecycle_event'
import { readProviderEvent } from '#app/identity_provider/validators/read_provider_event'
import { uniqueEmail } from '#tests/helpers/people'
import { providerEvent, uniqueId } from '#tests/helpers/provider_events'

/** Possible events of a user, with a few names and three addresses. */
const name = fc.constantFrom('Ada', 'Grace', 'Alan')
const address = fc.constantFrom(0, 1, 2)
const happening = fc.oneof(
  fc.record({ type: fc.constant('user.human.email.changed'), address }),
  fc.record({
    type: fc.constant('user.human.profile.changed'),
    names: fc.record({ firstName: name, lastName: name, displayName: name }, { requiredKeys: [] }),
  }),
  fc.record({
    type: fc.constantFrom('user.deactivated', 'user.reactivated', 'user.locked', 'user.unlocked'),
  })
)
type Happening = { type: string; address?: number; names?: object }

const life = fc
  .record({
    happenings: fc.array(happening, { minLength: 1, maxLength: 6 }),
    isRemoved: fc.boolean(),
    // Events of one transaction have the same time.
    gaps: fc.array(fc.constantFrom(0, 1, 1_000), { minLength: 8, maxLength: 8 }),
  })
  .chain(({ happenings, isRemoved, gaps }) => {
    const last = isRemoved ? [{ type: 'user.removed' }] : []
    const events: Happening[] = [
      { type: 'user.human.added', address: 0, names: { firstName: 'Ada', lastName: 'King' } },
      ...happenings,
      ...last,
    ]
    const numbers = events.map((_, index) => index)
    const order = fc
      .tuple(
        fc.shuffledSubarray(numbers, { minLength: numbers.length }),
        fc.array(fc.constantFrom(...numbers), { maxLength: 6 })
      )
      .chain(([once, again]) =>
        fc.shuffledSubarray([...once, ...again], { minLength: once.length + again.length })
      )
    return fc.record({ events: fc.constant(events), gaps: fc.constant(gaps), order })
  })

/** Applies the events in this order and returns the records, with the addresses by number. */
async function live(events: Happening[], gaps: number[], order: number[]) {
  const [id, addresses] = [uniqueId(), [0, 1, 2].map(() => uniqueEmail())]
  const start = Date.UTC(2026, 2, 1)
  const times = events.map((_, index) =>
    gaps.slice(0, index).reduce((sum, gap) => sum + gap, start)
  )
  for (const index of order) {
    const { type, address: number, names } = events[index]
    const body = providerEvent({
      aggregateID: id,
      event_type: type,
      created_at: new Date(times[index]).toISOString(),
      sequence: index + 1,
      event_payload: { ...names, ...(number !== undefined && { email: addresses[number] }) },
    })
    await handleLifecycleEvent((await readProviderEvent(body))!)
  }
  const users = await User.query().whereIn('email', addresses)
  return users
    .map((user) => ({
      address: addresses.indexOf(user.email),
      active: user.active,
      isTheirs: user.idpUserId === id,
      names: [user.firstName, user.lastName, user.displayName],
      namesChangedAt: user.namesChangedAt?.toMillis(),
    }))
    .sort((one, other) => one.address - other.address)
}

test.group('Order of events', () => {
  test('events in any order, with repetitions, have the same result', async ({ assert }) => {
    await fc.assert(
      fc.asyncProperty(life, async ({ events, gaps, order }) => {
        const inOrder = await live(events, gaps, [...events.keys()])
        assert.deepEqual(await live(events, gaps, order), inOrder)
      }),
      { numRuns: 16 }
    )
  }).timeout(60_000)

  test('the latest events determine the result', async ({ assert }) => {
    await fc.assert(
      fc.asyncProperty(life, async ({ events, gaps }) => {
        const records = await live(events, gaps, [...events.keys()])
        const last = (found: (event: Happening) => boolean) => events.findLast(found)
        const status = last(({ type }) => /(activated|locked|removed)$/.test(type))?.type
        const isUsable = status === undefined || /(reactivated|unlocked)$/.test(status)
        const current = last((event) => event.address !== undefined)!.address
        const known = [...new Set(events.flatMap((event) => event.address ?? []))].sort()
        assert.deepEqual(
          records.map((record) => [record.address, record.active]),
          known.map((number) => [number, number !== current || isUsable])
        )
      }),
      { numRuns: 25 }
    )
  }).timeout(60_000)

  test('concurrent events have the same result', async ({ assert }) => {
    const [id, email] = [uniqueId(), uniqueEmail()]
    const types = ['user.human.added', 'user.deactivated', 'user.reactivated', 'user.locked']
    const events = types.map((type, index) =>
      providerEvent({
        aggregateID: id,
        event_type: type,
        created_at: '2026-03-01T00:00:00Z',
        sequence: index + 1,
        event_payload: index === 0 ? { email, firstName: 'Ada' } : undefined,
      })
    )
    await Promise.all(
      [...events, ...events].map(async (event) =>
        handleLifecycleEvent((await readProviderEvent(event))!)
      )
    )
    const user = await User.withEmail(email)
    assert.deepInclude(user.$attributes, { active: false, idpUserId: id, firstName: 'Ada' })
  })
})
