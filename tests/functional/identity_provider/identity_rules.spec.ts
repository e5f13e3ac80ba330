import { test } from '@japa/runner'
import fc from 'fast-check'
import { DateTime } from 'luxon'
import { resolveAccountState } from '#app/profiles/actions/resolve_account_state'
import User from '#app/profiles/models/user'
import { changeIdentity } from '#app/identity_provider/user_lifecycle/change_identity'
import { handleLifecycleEvent } from '#app/identity_provider/user_lifecycle/handle_lifecycle_event'
import { readProviderEvent } from '#app/identity_provider/validators/read_provider_event'
import { uniqueEmail } from '#tests/helpers/people'
import { providerEvent, uniqueId } from '#tests/helpers/provider_events'

/** Three accounts compete for one address. */
const who = fc.constantFrom(0, 1, 2)
const minute = fc.integer({ min: 0, max: 50 })
const step = fc.oneof(
  fc.record({ kind: fc.constant('token' as const), who }),
  fc.record({
    kind: fc.constant('address' as const),
    type: fc.constantFrom(
      ...(['user.created', 'user.updated', 'user.deactivated'] as const),
      ...(['user.reactivated', 'user.removed'] as const)
    ),
    who: fc.option(who),
    minute: fc.option(minute),
  }),
  fc.record({
    kind: fc.constant('provider' as const),
    type: fc.constantFrom(
      ...['user.human.added', 'user.human.profile.changed', 'user.deactivated'],
      ...['user.reactivated', 'user.removed']
    ),
    who,
    minute,
  }),
  fc.record({ kind: fc.constant('super admin' as const), who: fc.option(who) })
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

const anHourAgo = (minutes: number) => DateTime.utc().minus({ minutes: 60 - minutes })

async function take(one: Step, email: string, accounts: string[]) {
  const account = one.who === null ? null : accounts[one.who]
  if (one.kind === 'token') {
    return resolveAccountState({ email, subject: account!, organisationId: null })
  }
  if (one.kind === 'super admin') {
    return (await User.findBy({ email })) && changeIdentity(email, account)
  }
  if (one.kind === 'address') {
    const isDated = one.minute !== null
    const occurredAt = isDated ? anHourAgo(one.minute!) : DateTime.utc()
    const names = { firstName: one.type }
    const { type } = one
    return handleLifecycleEvent({
      type,
      email,
      userId: account,
      orgId: null,
      names,
      occurredAt,
      isDated,
    })
  }
  const event = providerEvent({
    aggregateID: account!,
    event_type: one.type,
    created_at: anHourAgo(one.minute).toISO(),
    event_payload: { email, firstName: `${one.type} ${one.who}` },
  })
  return handleLifecycleEvent((await readProviderEvent(event))!)
}

const recordOf = async (email: string) => (await User.findBy({ email }))?.$attributes

test.group('Binding and state of user records', () => {
  test('follow the rules for any sequence of events', async ({ assert }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const [email, accounts] = [uniqueEmail(), [uniqueId(), uniqueId(), uniqueId()]]
        for (const one of steps) {
          const before = await recordOf(email)
          const answer = await take(one, email, accounts)
          const after = await recordOf(email)
          if (!before || !after) continue
          const named = one.who === null ? null : accounts[one.who]
          const isOthers = before.idpUserId !== null && named !== null && named !== before.idpUserId
          // Events of the provider do not prove an address, so the next proof counts.
          const isProof = one.kind === 'token' || one.kind === 'address'
          const isReplaced = isOthers && !before.identityVerified && isProof
          if (isOthers && !isReplaced && one.kind !== 'super admin') {
            assert.deepEqual(after, before, 'another account changes nothing')
            if (one.kind === 'token') assert.equal(answer, 'conflict')
            if (one.kind === 'address') assert.isFalse(answer)
          }
          // A removed account gets neither the record nor access.
          const standing = after.active ? 'active' : 'inactive'
          const refused = after.active ? 'conflict' : 'inactive'
          if (one.kind === 'token' && (!isOthers || isReplaced))
            assert.equal(answer, after.idpUserId === named ? standing : refused)
          if (!before.active && after.active) {
            const isReactivation = 'type' in one && one.type === 'user.reactivated'
            const isDiscarded = !before.identityVerified && !before.awaitsReactivation
            assert.isTrue(isReactivation || isDiscarded, 'only a reactivation lets in')
          }
          if (before.idpUserId !== null && after.idpUserId !== before.idpUserId) {
            const isRemoval = 'type' in one && one.type === 'user.removed'
            const isLost = !isRemoval && !isReplaced && one.kind !== 'super admin'
            assert.isFalse(isLost, 'a record is not lost')
          }
          if (after.idpUserId === null && before.idpUserId !== null && one.kind !== 'super admin') {
            assert.isTrue(
              !after.active || isReplaced,
              'whoever is removed leaves an inactive record'
            )
          }
        }
      }),
      { numRuns: 60 }
    )
  }).timeout(120_000)
})
