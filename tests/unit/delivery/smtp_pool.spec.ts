import { setTimeout as pause } from 'node:timers/promises'
import { Message } from '@adonisjs/mail'
import { test } from '@japa/runner'
import { Deadline } from '#core/values/deadline'
import { DomainPace } from '#app/delivery/mail/domain_pace'
import { SmtpPool } from '#app/delivery/mail/smtp_pool'
import { renderingTurns } from '#app/notifications/rendering/rendering_turns'
import mailConfig from '#config/mail'
import { burn } from '#tests/helpers/event_loop'
import { TestSmtpServer } from '#tests/world/smtp_server'

const mailTo = (address: string) =>
  new Message().from('shop@tests.example').to(address).subject('Hello').text('There').toObject()
    .message

async function aPool(cleanup: (callback: () => Promise<void>) => void, pace?: DomainPace) {
  const server = await new TestSmtpServer().start()
  const account = {
    host: '127.0.0.1',
    port: server.port,
    secure: false,
    user: null,
    password: null,
    tls: 'opportunistic',
  } as const
  const pool = new SmtpPool(account, pace)
  cleanup(async () => {
    pool.close()
    await server.stop()
  })
  return { server, pool }
}

/** Sends a mail of an application to a domain with the name. */
const sendThrough = (pool: SmtpPool) => (name: string, application: number) =>
  pool.send(mailTo(`${name}${application}@${name}.example`), new Deadline(20_000), application)

test.group('Connections to an SMTP account', () => {
  test('send one mail after another', async ({ assert, cleanup }) => {
    const { server, pool } = await aPool(cleanup)
    for (const name of ['one', 'two', 'three']) {
      await pool.send(mailTo(`${name}@tests.example`), new Deadline(5_000))
    }
    assert.lengthOf(server.mails, 3)
    assert.equal(server.connections, 1)
  })

  test('are limited, however many mails are waiting', async ({ assert, cleanup }) => {
    const { server, pool } = await aPool(cleanup)
    const mails = Array.from({ length: 40 }, (_, index) => mailTo(`p${index}@tests.example`))
    await Promise.all(mails.map((mail) => pool.send(mail, new Deadline(20_000))))
    assert.lengthOf(server.mails, 40)
    assert.isAtMost(server.connections, mailConfig.connections)
    assert.isTrue(pool.isIdle)
  })

  test('leave one to other applications, however long mails of one take', async ({
    assert,
    cleanup,
  }) => {
    const { server, pool } = await aPool(cleanup)
    server.react = (stage, address) =>
      stage === 'RCPT' && address?.startsWith('slow') ? 'stall' : undefined
    const slow = Array.from({ length: 30 }, (_, index) =>
      pool.send(mailTo(`slow${index}@tests.example`), new Deadline(1_500), 1)
    )
    const outcomes = Promise.allSettled(slow)
    for (const application of [2, undefined]) {
      await pool.send(mailTo('prompt@tests.example'), new Deadline(1_000), application)
    }
    assert.lengthOf(server.mailsTo('prompt@tests.example'), 2)
    assert.isTrue((await outcomes).every(({ status }) => status === 'rejected'))
    assert.isTrue(pool.isIdle)
  })

  test('leave one to quick mails, however many applications have slow ones', async ({
    assert,
    cleanup,
  }) => {
    const { server, pool } = await aPool(cleanup)
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>()
    server.react = (stage, address) => {
      if (stage !== 'RCPT' || !address?.startsWith('slow')) return undefined
      return address.startsWith('slowly') ? pause(mailConfig.slowMailMs * 1.1) : released
    }
    const applications = [1, 2, 3, 4, 5]
    const send = sendThrough(pool)
    // Usually, mails take less.
    for (let nth = 0; nth < 3; nth++) await send('quick', 7)
    await Promise.all(applications.map((application) => send('slowly', application)))
    const slow = applications.flatMap((application) => [1, 2].map(() => send('slow', application)))
    await send('quick', 6)
    await send('quick', 6)
    // One slow mail of an application does not count for those to other domains.
    const own = send('slow', 6)
    await send('quick', 6)
    slow.push(own)
    assert.lengthOf(server.mailsTo('quick6@quick.example'), 3)
    release(undefined)
    await Promise.all(slow)
    assert.isTrue(pool.isIdle)
  })

  test('remain for prompt domains while mails to many others take long', async ({
    assert,
    cleanup,
  }) => {
    const { server, pool } = await aPool(cleanup)
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>()
    server.react = (stage, address) =>
      stage === 'RCPT' && address?.startsWith('slow') ? released : undefined
    const send = sendThrough(pool)
    await send('quick', 1)
    const domains = Array.from({ length: 12 }, (_, index) => `slow${index}`)
    const slow = domains.map((domain) => send(domain, 1))
    await pause(mailConfig.slowMailMs * 1.1)
    for (let nth = 0; nth < 3; nth++) await send('quick', 1)
    assert.lengthOf(server.mailsTo('quick1@quick.example'), 4)
    assert.isAtMost(server.connections, mailConfig.connections)
    release(undefined)
    await Promise.all(slow)
    assert.isTrue(pool.isIdle)
  })

  test('are not all for one slow domain and its subdomains', async ({ assert, cleanup }) => {
    const { server, pool } = await aPool(cleanup)
    server.react = (stage, address) =>
      stage === 'RCPT' && address?.startsWith('slow')
        ? pause(mailConfig.slowMailMs * 1.5)
        : undefined
    const send = (address: string) => pool.send(mailTo(address), new Deadline(20_000), 1)
    const slow = Array.from({ length: 12 }, (_, index) => send(`slow@${index}.slow.example`))
    await Promise.race(slow)
    await send('first@unknown.example')
    assert.isAtMost(server.mails.length, 8)
    await Promise.all(slow)
  })

  test('are not all for slow domains, however many these are', async ({ assert, cleanup }) => {
    const pace = new DomainPace()
    const { server, pool } = await aPool(cleanup, pace)
    server.react = (stage, address) =>
      stage === 'RCPT' && address?.startsWith('slow')
        ? pause(mailConfig.slowMailMs * 1.5)
        : undefined
    const domains = Array.from({ length: 12 }, (_, index) => `slow${index}`)
    const { longMailMs } = mailConfig
    pace.record('quick.example', 0, 1)
    for (const domain of domains) pace.record(`${domain}.example`, 0, longMailMs + 1)
    const send = sendThrough(pool)
    const slow = domains.map((domain) => send(domain, 1))
    await send('unknown', 1)
    assert.isBelow(server.mails.length, 3)
    await Promise.all(slow)
  })

  test('are a few more while mails on all of them take long', async ({ assert, cleanup }) => {
    const { server, pool } = await aPool(cleanup)
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>()
    server.react = (stage, address) =>
      stage === 'RCPT' && address?.startsWith('slow') ? released : undefined
    const send = sendThrough(pool)
    const slow = Array.from({ length: 20 }, (_, index) => send('slow', 1 + (index % 2)))
    await send('quick', 3)
    assert.equal(server.connections, mailConfig.connections + 1)
    assert.lengthOf(server.mailsTo('quick3@quick.example'), 1)
    release(undefined)
    await Promise.all(slow)
    assert.isTrue(pool.isIdle)
  })

  test('go to the application whose mails took the least time', async ({ assert, cleanup }) => {
    const { server, pool } = await aPool(cleanup)
    const first = Array.from({ length: 60 }, (_, index) =>
      pool.send(mailTo(`first${index}@tests.example`), new Deadline(20_000), 1)
    )
    await pool.send(mailTo('second@tests.example'), new Deadline(20_000), 2)
    assert.isBelow(server.mails.length, 20)
    await Promise.all(first)
  })

  test('are closed by a mail that times out, but only its own', async ({ assert, cleanup }) => {
    const { server, pool } = await aPool(cleanup)
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>()
    server.react = (stage, address) => {
      if (stage !== 'RCPT') return undefined
      return address === 'hurried@tests.example' ? 'stall' : released
    }
    const patient = pool.send(mailTo('patient@tests.example'), new Deadline(60_000))
    const hurried = pool.send(mailTo('hurried@tests.example'), new Deadline(300))
    await assert.rejects(() => hurried, 'The server did not finish in time')
    release(undefined)
    await patient
    assert.lengthOf(server.mailsTo('patient@tests.example'), 1)
  })

  test('send no mail whose time ends while others are rendered', async ({ assert, cleanup }) => {
    const { server, pool } = await aPool(cleanup)
    const others = [1, 2].map(() => renderingTurns.run(() => burn(30)))
    const late = pool.send(mailTo('late@tests.example'), new Deadline(10))
    await assert.rejects(() => late, 'No time was left')
    await Promise.all(others)
    await pool.send(mailTo('next@tests.example'), new Deadline(5_000))
    assert.deepEqual(
      server.mails.map(({ to }) => to),
      [['next@tests.example']]
    )
  })

  test('send a mail before those of an application that has used more time', async ({
    assert,
    cleanup,
  }) => {
    const { pool } = await aPool(cleanup)
    let rendered = 0
    const work = () => {
      burn(10)
      rendered += 1
    }
    const others = Array.from({ length: 100 }, () => renderingTurns.run(work, { group: 1 }))
    await pool.send(mailTo('prompt@tests.example'), new Deadline(5_000), 2)
    assert.isBelow(rendered, 100)
    await Promise.all(others)
  })

  test('are reopened after they are lost', async ({ assert, cleanup }) => {
    const { server, pool } = await aPool(cleanup)
    server.react = (stage) => (stage === 'DATA' ? 'cut' : undefined)
    await assert.rejects(() => pool.send(mailTo('lost@tests.example'), new Deadline(5_000)))
    server.react = () => undefined
    await pool.send(mailTo('found@tests.example'), new Deadline(5_000))
    assert.lengthOf(server.mailsTo('found@tests.example'), 1)
  })

  test('fail while the server is down, and work once it is back', async ({ assert, cleanup }) => {
    const { server, pool } = await aPool(cleanup)
    await server.stop()
    for (let attempt = 1; attempt <= 3; attempt++) {
      await assert.rejects(
        () => pool.send(mailTo('early@tests.example'), new Deadline(5_000)),
        /ECONNREFUSED/
      )
    }
    await server.start()
    await pool.send(mailTo('late@tests.example'), new Deadline(5_000))
    assert.lengthOf(server.mails, 1)
  })
})
