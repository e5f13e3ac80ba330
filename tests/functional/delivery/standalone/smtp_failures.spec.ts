import { type AddressInfo, type Server, type Socket, createServer } from 'node:net'
import { once } from 'node:events'
import { test } from '@japa/runner'
import type { Assert } from '@japa/assert'
import type { ApiClient } from '@japa/api-client'
import { secrets } from '#core/secrets'
import { SMTP_PASSWORD } from '#app/platform/values/brand_mail'
import Brand from '#app/platform/models/brand'
import { eventually } from '#tests/helpers/eventually'
import { notificationRecordOf, sendNotification, withOwnServer } from '#tests/helpers/deliveries'
import { anApplication, uniqueEmail } from '#tests/helpers/people'
import { freePort } from '#tests/world/free_port'
import { TestSmtpServer } from '#tests/world/smtp_server'
import { smtp } from '#tests/world/prepare'

const TEXT = { subject: 'Hello', body: 'Something happened' }

async function ownServer(cleanup: (callback: () => Promise<void>) => void) {
  const server = await new TestSmtpServer().start()
  cleanup(() => server.stop())
  return server
}

async function send(client: ApiClient, recipientEmail: string) {
  const application = await anApplication()
  const body = { recipientEmail, appCode: application.code, type: 'generic', data: TEXT }
  const startedAt = performance.now()
  const response = await sendNotification(client, body)
  response.assertStatus(200)
  const { data } = response.body()
  return { data, ms: performance.now() - startedAt, ...(await notificationRecordOf(data.id)) }
}

function assertFailed(assert: Assert, result: Awaited<ReturnType<typeof send>>, attempts: number) {
  const { data, notification, deliveries } = result
  assert.equal(data.status, 'failed')
  assert.match(data.statusReason, /^SMTP_ERROR: ./)
  assert.notMatch(data.statusReason, /127\.0\.0\.1|localhost|node_modules|\n/)
  assert.containSubset(notification, { status: 'failed', statusReason: data.statusReason })
  assert.lengthOf(deliveries, 1)
  assert.containSubset(deliveries[0], { channel: 'email', status: 'failed', attempts })
}

test.group('SMTP failures', () => {
  for (const stage of ['MAIL', 'RCPT', 'DATA'] as const) {
    test(`a permanent rejection at ${stage} is not retried`, async ({
      assert,
      client,
      cleanup,
    }) => {
      const server = await ownServer(cleanup)
      server.react = (at) => (at === stage ? 550 : undefined)
      const email = uniqueEmail()
      await withOwnServer(email, server)
      const result = await send(client, email)
      assertFailed(assert, result, 1)
      assert.include(result.data.statusReason, '550')
    })

    test(`a temporary rejection at ${stage} is retried until the mail is accepted`, async ({
      assert,
      client,
      cleanup,
    }) => {
      const server = await ownServer(cleanup)
      let refusals = 2
      server.react = (at) => (at === stage && refusals-- > 0 ? 451 : undefined)
      const email = uniqueEmail()
      await withOwnServer(email, server)
      const { data, deliveries } = await send(client, email)
      assert.containSubset(data, { status: 'sent', statusReason: null })
      assert.equal(deliveries[0].attempts, 3)
      assert.lengthOf(server.mailsTo(email), 1)
    })
  }

  test('retries of temporary rejections are limited', async ({ assert, client, cleanup }) => {
    const server = await ownServer(cleanup)
    server.react = (at) => (at === 'RCPT' ? 421 : undefined)
    const email = uniqueEmail()
    await withOwnServer(email, server)
    assertFailed(assert, await send(client, email), 3)
  })

  test('an unreachable server fails the mail quickly', async ({ assert, client, cleanup }) => {
    const server = await ownServer(cleanup)
    const email = uniqueEmail()
    await withOwnServer(email, server, {
      smtp: {
        host: '127.0.0.1',
        port: await freePort(),
        secure: false,
        user: null,
        password: null,
      },
    })
    const result = await send(client, email)
    assertFailed(assert, result, 3)
    assert.isBelow(result.ms, 5_000)
  })

  test('a lost connection is retried with the same Message-ID', async ({
    assert,
    client,
    cleanup,
  }) => {
    const server = await ownServer(cleanup)
    let cuts = 1
    server.react = (at) => (at === 'DATA' && cuts-- > 0 ? 'cut' : undefined)
    const email = uniqueEmail()
    await withOwnServer(email, server)
    const { data, deliveries } = await send(client, email)
    assert.equal(data.status, 'sent')
    const [mail] = server.mailsTo(email)
    assert.equal(mail.parsed.messageId, deliveries[0].providerMessageId)
    assert.equal(deliveries[0].attempts, 2)
  })

  test('a pooled connection that the server has closed is replaced', async ({
    assert,
    client,
    cleanup,
  }) => {
    const server = await ownServer(cleanup)
    const email = uniqueEmail()
    await withOwnServer(email, server)
    await send(client, email)
    await send(client, email)
    assert.equal(server.connections, 1)
    server.cut()
    const { data } = await send(client, email)
    assert.equal(data.status, 'sent')
    assert.lengthOf(server.mailsTo(email), 3)
  })

  test('a rejected login is not retried', async ({ assert, client, cleanup }) => {
    const server = await ownServer(cleanup)
    server.react = (at) => (at === 'AUTH' ? 535 : undefined)
    const email = uniqueEmail()
    const password = secrets.encrypt('s3cret', SMTP_PASSWORD)
    await withOwnServer(email, server, {
      smtp: { host: '127.0.0.1', port: server.port, secure: false, user: 'shop', password },
    })
    const result = await send(client, email)
    assertFailed(assert, result, 1)
    assert.notInclude(result.data.statusReason, 's3cret')
    assert.deepEqual(server.logins, [{ user: 'shop', password: 's3cret' }])
  })

  test('a password that the server repeats is not recorded', async ({
    assert,
    client,
    cleanup,
  }) => {
    const server = createServer((socket) => {
      socket.on('error', () => {}).write('220 hello\r\n')
      socket.setEncoding('utf8').on('data', (line: string) => {
        const isGreeting = line.startsWith('EHLO')
        socket.write(isGreeting ? '250-hello\r\n250 AUTH PLAIN\r\n' : `535 ${line.trim()}\r\n`)
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    cleanup(() => void server.close())
    const email = uniqueEmail()
    const password = secrets.encrypt('s3cret', SMTP_PASSWORD)
    const { port } = server.address() as AddressInfo
    await withOwnServer(email, smtp, {
      smtp: { host: '127.0.0.1', port, secure: false, user: 'shop', password },
    })
    const { data } = await send(client, email)
    assert.deepEqual(data.statusReason, 'SMTP_ERROR: 535 the server refused the account')
  })

  for (const [title, talk] of Object.entries({
    'never greets': () => {},
    'falls silent after the greeting': (socket: Socket) => socket.write('220 hello\r\n'),
    'never stops talking': (socket: Socket) => {
      const timer = setInterval(() => socket.write('220-still here\r\n'), 300)
      socket.once('close', () => clearInterval(timer))
    },
    'does not speak SMTP': (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n'),
  })) {
    test(`a server that ${title} does not exceed the time limit`, async ({
      assert,
      client,
      cleanup,
    }) => {
      const raw: Server = createServer((socket) => {
        socket.on('error', () => {})
        talk(socket)
      }).listen(0, '127.0.0.1')
      await once(raw, 'listening')
      const sockets = new Set<Socket>()
      raw.on('connection', (socket) => sockets.add(socket))
      cleanup(() => {
        for (const socket of sockets) socket.destroy()
        raw.close()
      })
      const email = uniqueEmail()
      const address = raw.address()
      const port = address !== null && typeof address === 'object' ? address.port : 0
      const brand = await withOwnServer(email, smtp)
      await brand
        .merge({ smtp: { host: '127.0.0.1', port, secure: false, user: null, password: null } })
        .save()
      const { data, ms } = await send(client, email)
      assert.equal(data.status, 'failed')
      assert.match(data.statusReason, /^SMTP_ERROR: ./)
      assert.isBelow(ms, 12_000)
    }).timeout(30_000)
  }
})

test.group('SMTP accounts of brands', () => {
  test('are used from the next mail on after a change', async ({ assert, client, cleanup }) => {
    const [first, second] = [await ownServer(cleanup), await ownServer(cleanup)]
    const email = uniqueEmail()
    const brand = await withOwnServer(email, first, {
      emailFrom: 'news@brand.example',
      emailFromName: 'Brand, Inc.',
      replyTo: 'help@brand.example',
    })
    await send(client, email)
    const [mail] = first.mailsTo(email)
    assert.deepEqual(mail.parsed.from?.value, [
      { address: 'news@brand.example', name: 'Brand, Inc.' },
    ])
    assert.equal(mail.parsed.replyTo?.value[0].address, 'help@brand.example')
    assert.match(mail.parsed.messageId!, /@brand\.example>$/)

    const fresh = await Brand.findOrFail(brand.id)
    await fresh.merge({ smtp: { ...fresh.smtp!, port: second.port } }).save()
    await send(client, email)
    assert.lengthOf(first.mailsTo(email), 1)
    assert.lengthOf(second.mailsTo(email), 1)
    await eventually('the connection of the old account closes', () => first.open === 0)
  })

  test('fail the mail if the password cannot be decrypted', async ({ assert, client }) => {
    const email = uniqueEmail()
    const password = 'app.of.another.key'
    await withOwnServer(email, smtp, {
      smtp: { host: '127.0.0.1', port: smtp.port, secure: false, user: 'shop', password },
    })
    assertFailed(assert, await send(client, email), 0)
    assert.isEmpty(smtp.mailsTo(email))
  })
})
