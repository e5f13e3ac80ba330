import { test } from '@japa/runner'
import { aMachine, operator } from '#tests/helpers/command_line'
import { anAdministratorOf, anApplication } from '#tests/helpers/people'
import { aReceiver, attemptDue, eventsAt, forgetOtherWebhooks } from '#tests/helpers/webhooks'

const machine = aMachine()

test.group('concierge webhooks', (group) => {
  group.each.setup(forgetOtherWebhooks)

  test('an administrator creates, tests, changes and deletes a webhook', async ({
    assert,
    cleanup,
  }) => {
    const application = await anApplication()
    const { code } = application
    const receiver = await aReceiver(cleanup)
    const env = await operator(await anAdministratorOf(application))
    const run = (...args: string[]) => machine.run(['webhooks', ...args], { env })
    const json = async (...args: string[]) => {
      const { code: exitCode, stdout, stderr } = await run(...args, '-o', 'json')
      assert.equal(exitCode, 0, stderr)
      return JSON.parse(stdout)
    }

    const types = 'notification.failed,user.erased'
    const created = await json('create', code, receiver.url, '--events', types)
    const { id, secret } = created
    assert.containSubset(created, { events: types.split(','), enabled: true })
    assert.containSubset(await json('list', code), [{ id, url: receiver.url }])
    const refused = await run('create', code, 'http://shop.example', '--events', types)
    assert.equal(refused.code, 1)
    assert.include(refused.stderr, 'https')

    const { id: deliveryId } = await json('test', code, String(id))
    await attemptDue(id)
    const rotated = await json('rotate-secret', code, String(id))
    assert.notEqual(rotated.secret, secret)
    await json('replay', code, String(id), String(deliveryId))
    await attemptDue(id)
    assert.lengthOf(eventsAt(receiver, secret), 2)
    const deliveries = await json('deliveries', code, String(id), '--status', 'delivered')
    assert.containSubset(deliveries, [{ id: deliveryId, type: 'webhook.test', attempts: 2 }])

    const changed = await json('update', code, String(id), '--enabled', 'false')
    assert.containSubset(changed, { events: types.split(','), enabled: false })
    assert.equal((await run('delete', code, String(id))).code, 64, 'it asks first')
    assert.equal((await run('delete', code, String(id), '--yes')).code, 0)
    assert.deepEqual(await json('list', code), [])
  }).timeout(120_000)
})
