import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import { aMachine, operator } from '#tests/helpers/command_line'
import { aNotification } from '#tests/helpers/inbox'
import { anAdministratorOf, anApplication, uniqueEmail } from '#tests/helpers/people'
import { SUPER_ADMIN } from '#tests/world/prepare'

const machine = aMachine()

test.group('concierge log', () => {
  test('lists, shows and resends failed notifications', async ({ assert }) => {
    const application = await anApplication()
    await application.merge({ createdAt: DateTime.utc().minus({ days: 1 }) }).save()
    const app = application.code
    const email = uniqueEmail()
    const { id } = await aNotification(email, {
      appCode: app,
      type: 'generic',
      status: 'failed',
      payload: { subject: 'Hello', body: 'Something happened' },
      createdAt: DateTime.utc().minus({ minutes: 5 }),
    })
    const env = await operator(await anAdministratorOf(application))
    const run = (...args: string[]) => machine.run(['log', ...args], { env })
    const json = async (...args: string[]) => JSON.parse((await run(...args, '-o', 'json')).stdout)

    assert.containSubset(await json('list', app, '--status', 'failed'), [{ id }])
    assert.containSubset(await json(app), [{ id }], 'list is the default')
    assert.containSubset(await json('show', app, String(id)), { id, recipientEmail: email })
    const again = await run('resend', app, String(id), '-o', 'json')
    assert.equal(again.code, 0, again.stderr)
    assert.include(JSON.parse(again.stdout), { status: 'sent' })
    const sent = await run('resend', app, String(id))
    assert.equal(sent.code, 1, 'it was sent')
    for (const wrong of ['first', '0', '1.5']) {
      assert.equal((await run('show', app, wrong)).code, 64, wrong)
    }

    const { code: other } = await anApplication()
    for (const step of ['show', 'resend']) {
      const refused = await run(step, other, String(id))
      assert.equal(refused.code, 1)
      assert.match(refused.stderr, /^error: FORBIDDEN: /)
    }
  }).timeout(120_000)

  test('shows and cancels what is sent later', async ({ assert }) => {
    const { code: app } = await anApplication()
    const env = await operator(SUPER_ADMIN)
    const run = (...args: string[]) => machine.run([...args, '-o', 'json'], { env })
    const sendAt = DateTime.utc().plus({ days: 1 }).startOf('second')
    const data = ['--data', 'subject=Hello', '--data', 'body=There']
    const notify = ['notify', uniqueEmail(), app, 'generic', ...data, '--send-at']
    const sent = await run(...notify, sendAt.toISO())
    assert.equal(sent.code, 0, sent.stderr)
    const { id, ...result } = JSON.parse(sent.stdout)
    const scheduledFor = sendAt.toISO()
    assert.deepEqual(result, { status: 'scheduled', statusReason: 'SEND_AT', scheduledFor })
    const listed = await run('log', 'list', app, '--status', 'scheduled')
    assert.containSubset(JSON.parse(listed.stdout), [{ id, scheduledFor }])
    const cancelled = await run('log', 'cancel', String(id))
    assert.include(JSON.parse(cancelled.stdout), { status: 'skipped', statusReason: 'CANCELLED' })
    const again = await run('log', 'cancel', String(id))
    assert.equal(again.code, 1)
    assert.match(again.stderr, /^error: ALREADY_SENT: /)
    assert.equal((await run(...notify, 'tomorrow')).code, 64)
  }).timeout(120_000)

  test('explains what was sent, and what would be', async ({ assert }) => {
    const { code: app } = await anApplication()
    const env = await operator(SUPER_ADMIN)
    const run = (...args: string[]) => machine.run(args, { env })
    const send = ['notify', uniqueEmail(), app, 'generic', '--data', 'subject=Hello']
    const json = ['-o', 'json']
    const refused = await run(...send, '--explain')
    assert.equal(refused.code, 2, refused.stderr)
    assert.match(refused.stdout, /^failed: NO_TEMPLATE\n\npassed {2}application: The application /)
    assert.match(refused.stdout, /stopped {2}rendering: Without a template, .* contain body\./)
    const explained = await run(...send, '--data', 'body=There', '--explain', ...json)
    assert.equal(explained.code, 0, explained.stderr)
    const sent = await run(...send, '--data', 'body=There', ...json)
    const { id } = JSON.parse(sent.stdout)
    const recorded = await run('log', 'explain', app, String(id), ...json)
    const expected = { id, recorded: true, ...JSON.parse(explained.stdout) }
    assert.deepEqual(JSON.parse(recorded.stdout), expected)
    const { id: old } = await aNotification(uniqueEmail(), { appCode: app })
    const unknown = await run('log', 'explain', app, String(old))
    assert.equal(unknown.stdout, 'No explanation was recorded with this notification.\n')
  }).timeout(120_000)
})
