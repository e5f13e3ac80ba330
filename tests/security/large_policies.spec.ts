import { test } from '@japa/runner'
import { transaction } from '#core/database/transaction'
import { rehearse } from '#core/database/rehearse'
import { burn, turnsDuring } from '#tests/helpers/event_loop'

const PARTS = 20
/** Longer than work may take before it lets others run. */
const PART_MS = 6

test.group('A large policy', () => {
  test('lets other requests run between its changes', async ({ assert }) => {
    const plan = () =>
      rehearse(({ tryOut }) =>
        tryOut(async () => {
          for (let part = 0; part < PARTS; part++) await transaction(async () => burn(PART_MS))
        })
      )
    assert.isAtLeast(await turnsDuring(plan), PARTS)
  })
})
