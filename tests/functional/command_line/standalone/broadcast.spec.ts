import { once } from 'node:events'
import { test } from '@japa/runner'
import Broadcast from '#app/broadcasts/models/broadcast'
import { TEXT, aBroadcast, startBroadcastWorker } from '#tests/helpers/broadcasts'
import { aMachine, operator } from '#tests/helpers/command_line'
import { eventually } from '#tests/helpers/eventually'
import { anApplication, uniqueEmail } from '#tests/helpers/people'
import { TestHttpServer } from '#tests/world/http_server'

const machine = aMachine()
const DATA = Object.entries(TEXT).flatMap(([name, value]) => ['--data', `${name}=${value}`])
const RUNNING = { id: 7, status: 'running', total: 9, processed: 1, failed: 0, skipped: 0 }

test.group('concierge broadcast', () => {
  test('sends, shows the progress and prints the result', async ({ assert, cleanup }) => {
    startBroadcastWorker(cleanup)
    const { code: app, id: applicationId } = await anApplication()
    const emails = [uniqueEmail(), uniqueEmail()].join('\n')
    const send = ['broadcast', 'send', app, '--type', 'generic', '--to', 'emails', ...DATA]
    const asked = [...send, '--emails-file', '-', '-o', 'json']
    const settings = { env: await operator(), input: emails }

    const dry = await machine.run([...asked, '--dry-run'], settings)
    assert.containSubset(JSON.parse(dry.stdout), { type: 'generic', audience: { kind: 'emails' } })
    assert.equal((await machine.run(asked, settings)).code, 64, 'nobody agreed')
    assert.isNull(await Broadcast.findBy('applicationId', applicationId))

    const { code, stdout, stderr } = await machine.run([...asked, '--yes'], settings)
    assert.equal(code, 0, stderr)
    assert.include(JSON.parse(stdout), { status: 'completed', total: 2, sent: 2 })
    assert.match(stderr, /completed: 2 of 2/)
  }).timeout(120_000)

  test('previews, changes one that is scheduled, and lists its recipients', async ({ assert }) => {
    const application = await anApplication()
    const email = uniqueEmail()
    const { id } = await aBroadcast(application, { scheduledAt: '2099-01-01T00:00:00Z' })
    const env = await operator()
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await machine.run(['broadcast', ...args, '-o', 'json'], {
        env,
      })
      assert.equal(code, 0, stderr)
      return JSON.parse(stdout)
    }
    const to = ['--to', 'emails', '--email', email]
    const preview = await run('preview', application.code, '--type', 'generic', ...to, ...DATA)
    assert.containSubset(preview, { total: 1, recipients: [{ email, subject: TEXT.subject }] })
    const one = [application.code, String(id)]
    const changed = await run('change', ...one, ...to, '--rate', '3')
    assert.containSubset(changed, { revision: 2, ratePerSecond: 3, total: 1 })
    const recipients = await run('recipients', ...one, '--status', 'waiting')
    assert.containSubset(recipients, [{ email, status: 'waiting' }])
    const listed = await run('list', application.code, '--status', 'scheduled')
    assert.containSubset(listed, [{ id }])
    assert.deepEqual(await run('list', application.code, '--type', 'other'), [])
    const none = { examined: 0, reasons: [] }
    assert.deepEqual(await run('reasons', ...one), { failed: none, skipped: none })
  }).timeout(120_000)

  test('sends nothing if the audience has another size than expected', async ({ assert }) => {
    const { code: app, id: applicationId } = await anApplication()
    const to = ['--to', 'emails', '--email', uniqueEmail()]
    const send = ['broadcast', 'send', app, '--type', 'generic', ...to, ...DATA, '--yes']
    const settings = { env: await operator() }
    const { code, stderr } = await machine.run([...send, '--expect', '2'], settings)
    assert.notEqual(code, 0)
    assert.include(stderr, 'expected size')
    assert.isNull(await Broadcast.findBy('applicationId', applicationId))
    const time = ['--at', '2099-01-01T00:00:00Z']
    assert.equal((await machine.run([...send, '--expect', '1', ...time], settings)).code, 0)
  }).timeout(120_000)

  test('refuses changes of nothing, and addresses without --to emails', async ({ assert }) => {
    const application = await anApplication()
    const { id } = await aBroadcast(application, { scheduledAt: '2099-01-01T00:00:00Z' })
    const settings = { env: await operator() }
    const change = ['broadcast', 'change', application.code, String(id)]
    const send = ['broadcast', 'send', application.code, '--type', 'generic', ...DATA, '--dry-run']
    const addresses = ['--email', uniqueEmail()]
    const requests = [
      [change, /Nothing to change/],
      [[...change, ...addresses], /require --to emails/],
      [[...change, '--emails-file', '-', '--rate', '3'], /require --to emails/],
      [[...change, '--to', 'application', ...addresses], /require --to emails/],
      [[...send, '--to', 'application', ...addresses], /require --to emails/],
    ] as const
    for (const [args, message] of requests) {
      const { code, stderr } = await machine.run([...args], settings)
      assert.equal(code, 64, stderr)
      assert.match(stderr, message)
    }
    assert.equal((await Broadcast.findOrFail(id)).revision, 1)
  }).timeout(120_000)

  test('Ctrl-C leaves the broadcast running and prints how to follow it', async ({ assert }) => {
    const application = await anApplication()
    const { id } = await aBroadcast(application, { scheduledAt: '2099-01-01T00:00:00Z' })
    const env = await operator()
    const child = machine.start(['broadcast', 'follow', application.code, String(id)], { env })
    let shown = ''
    child.stderr!.on('data', (chunk) => (shown += chunk))
    await eventually('it shows progress', () => shown.includes('scheduled'))
    child.kill('SIGINT')
    const [code] = await once(child, 'exit')
    assert.equal(code, 130)
    assert.include(shown, `concierge broadcast follow ${application.code} ${id}`)
    assert.equal((await Broadcast.findOrFail(id)).status, 'scheduled')

    const step = (...args: string[]) =>
      machine.run(['broadcast', ...args, application.code, String(id), '-o', 'json'], { env })
    assert.equal((await step('cancel')).code, 64, 'nobody agreed')
    assert.include(JSON.parse((await step('cancel', '--yes')).stdout), { status: 'cancelled' })
    assert.equal((await step('follow')).code, 2)
  }).timeout(120_000)

  test('an unreachable service ends the progress display, not the broadcast', async ({
    assert,
    cleanup,
  }) => {
    const world = await new TestHttpServer((_, response) => {
      const event = `event: progress\ndata: ${JSON.stringify(RUNNING)}\n\n`
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(event)
    }).start()
    cleanup(() => world.stop())
    const follow = ['broadcast', 'follow', 'shop', '7', '--url', world.url]
    const child = machine.start([...follow, '--timeout', '1', '--token', 'any'])
    let shown = ''
    child.stderr!.on('data', (chunk) => (shown += chunk))
    await eventually('it shows progress', () => shown.includes('1 of 9'))
    await world.stop()
    const [code] = await once(child, 'exit')
    assert.equal(code, 3)
    assert.match(shown, /^error: Concierge could not be reached/m)
    assert.include(
      shown,
      'The broadcast continues. Follow it with: concierge broadcast follow shop 7'
    )
  }).timeout(60_000)

  test('the progress display resumes when the service is back', async ({ assert, cleanup }) => {
    let status = 'running'
    const world = await new TestHttpServer((_, response) => {
      const event = `event: progress\ndata: ${JSON.stringify({ ...RUNNING, status })}\n\n`
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(event)
    }).start()
    cleanup(() => world.stop())
    const child = machine.start(['broadcast', 'follow', 'shop', '7', '--url', world.url])
    let shown = ''
    child.stderr!.on('data', (chunk) => (shown += chunk))
    await eventually('it shows progress', () => shown.includes('1 of 9'))
    status = 'completed'
    await world.stop()
    await world.start()
    const [code] = await once(child, 'exit')
    assert.equal(code, 0, shown)
    assert.include(shown, 'completed')
  }).timeout(60_000)
})
