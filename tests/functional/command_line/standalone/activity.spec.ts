import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { DateTime } from 'luxon'
import { aMachine, operator } from '#tests/helpers/command_line'
import { manageApplication } from '#tests/helpers/management'
import { anAdministratorOf, anApplication } from '#tests/helpers/people'

const machine = aMachine()

test.group('concierge activity and attention', () => {
  test('show what happens in an application and what is missing', async ({ client, assert }) => {
    const application = await anApplication()
    const { id, code } = application
    const today = DateTime.utc().toISODate()
    await db.table('check_counts').insert({ application_id: id, day: today, count: 42 })
    await manageApplication(client, code).permission()
    const env = await operator(await anAdministratorOf(application))
    const json = async (...args: string[]) => {
      const { code: exit, stdout, stderr } = await machine.run([...args, '-o', 'json'], { env })
      if (exit !== 0) throw new Error(stderr)
      return JSON.parse(stdout)
    }
    const last = { date: today, checks: 42, deliveries: 0, failures: 0, logins: 0 }
    for (const app of [[], [code]]) {
      const days = await json('activity', ...app, '--days', '2')
      assert.lengthOf(days, 2)
      assert.deepEqual(days[1], last)
      assert.deepEqual(await json('attention', ...app), [
        { kind: 'permissions_unassigned', appCode: code, count: 1 },
      ])
    }
    assert.lengthOf(await json('activity'), 30)
    const refused = await machine.run(['activity', '--days', '91'], { env })
    assert.equal(refused.code, 1)
    assert.include(refused.stderr, 'VALIDATION_ERROR')
  })
})
