import { once } from 'node:events'
import { type Socket, connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { createTransport } from 'nodemailer'
import { test } from '@japa/runner'
import { ReportServer } from '#app/bounces/smtp/report_server'
import { bounceAddressOf } from '#app/delivery/mail/signed_bounce_address'
import { notificationReference } from '#app/delivery/values/notification_reference'
import bouncesConfig from '#config/bounces'
import mailConfig from '#config/mail'
import { MAX_ID } from '#core/values/identifiers'
import { selfSignedCertificate } from '#tests/world/certificate'
import { freePort } from '#tests/world/free_port'
import { startService } from '#tests/world/service'

const ADDRESS = { local: 'bounces', domain: 'acme.example' }

/** A client that speaks SMTP line by line. */
class Client {
  readonly #socket: Socket
  #received = ''

  /** @param from A loopback address to connect from */
  constructor(port: number, from?: string) {
    this.#socket = connect({ port, host: '127.0.0.1', localAddress: from })
    this.#socket.on('data', (chunk) => (this.#received += chunk))
    this.#socket.on('error', () => {})
  }

  get isClosed() {
    return this.#socket.closed
  }

  get sentBytes() {
    return this.#socket.bytesWritten
  }

  /** The code of the next complete reply; null if the connection ends before one. */
  async reply(): Promise<number | null> {
    for (;;) {
      const complete = /^(?:\d{3}-.*\r\n)*(\d{3}) .*\r\n/.exec(this.#received)
      if (complete) {
        this.#received = this.#received.slice(complete[0].length)
        return Number(complete[1])
      }
      if (this.#socket.closed) return null
      await this.#until('data')
    }
  }

  say(line: string) {
    this.#socket.write(`${line}\r\n`)
    return this.reply()
  }

  /** Greets, names the sender, and a recipient if there is one. Returns the last reply. */
  async begin(recipient?: string) {
    await this.reply()
    await this.say('EHLO mx.example')
    const sender = await this.say('MAIL FROM:<>')
    return recipient === undefined ? sender : this.say(`RCPT TO:<${recipient}>`)
  }

  /** Sends bytes as fast as the server reads them, until all are sent or the connection ends. */
  async flood(bytes: number) {
    const chunk = Buffer.alloc(65_536, 'x')
    for (let sent = 0; sent < bytes && !this.#socket.closed; sent += chunk.length) {
      if (this.#socket.write(chunk)) continue
      await this.#until('drain')
    }
  }

  closed() {
    return this.#socket.closed ? undefined : this.#until('close')
  }

  end() {
    this.#socket.destroy()
  }

  /** Also resolves when the connection ends, even with an error. */
  #until(event: 'data' | 'drain' | 'close') {
    return new Promise<void>((resolve) => {
      const done = () => {
        this.#socket.off(event, done).off('close', done)
        resolve()
      }
      this.#socket.once(event, done).once('close', done)
    })
  }
}

test.group('The SMTP listener for reports', (group) => {
  let server: ReportServer
  let port: number
  const clients: Client[] = []
  const valid = () =>
    bounceAddressOf(notificationReference(2_147_483_647, '2026-11-23', 'alan@acme.example'))!

  group.each.setup(async () => {
    const limits = { ...bouncesConfig }
    mailConfig.bounceAddress = ADDRESS
    server = new ReportServer()
    port = await server.listen(0, '127.0.0.1')
    return async () => {
      for (const one of clients.splice(0)) one.end()
      await server.close()
      mailConfig.bounceAddress = null
      Object.assign(bouncesConfig, limits)
    }
  })

  function client() {
    const one = new Client(port)
    clients.push(one)
    return one
  }

  test('the longest envelope sender has 64 characters before the @', ({ assert }) => {
    mailConfig.bounceAddress = { ...ADDRESS, local: 'b'.repeat(25) }
    assert.isAtMost(valid().indexOf('@'), 64)
  })

  test('takes no mail for others, and hangs up at the third attempt', async ({ assert }) => {
    const one = client()
    assert.equal(await one.begin('ada@acme.example'), 550)
    assert.equal(await one.say('RCPT TO:<bounces@acme.example>'), 550)
    assert.equal(await one.say('RCPT TO:<eve@elsewhere.example>'), 421)
    await one.closed()
    assert.isTrue(one.isClosed)
  })

  test('has no login, and no commands that ask about users', async ({ assert }) => {
    const one = client()
    await one.begin()
    for (const line of ['AUTH PLAIN', 'VRFY ada', 'EXPN all', 'STARTTLS']) {
      assert.isAtLeast((await one.say(line))!, 500, line)
    }
  })

  test('refuses a message of 50 MB that says so before it is sent', async ({ assert }) => {
    const one = client()
    await one.reply()
    await one.say('EHLO mx.example')
    assert.equal(await one.say('MAIL FROM:<> SIZE=52428800'), 552)
  })

  test('cuts off a message of 50 MB that does not', async ({ assert }) => {
    const one = client()
    assert.equal(await one.begin(valid()), 250)
    assert.equal(await one.say('DATA'), 354)
    await one.flood(52_428_800)
    await one.closed()
    // The buffers of both sides take some of it, too.
    assert.isBelow(one.sentBytes, 4 * bouncesConfig.maxSize)
    assert.equal(await client().begin(valid()), 250, 'others are served')
  })

  test('reads a message with very many lines', async ({ assert }) => {
    const one = client()
    assert.equal(await one.begin(valid()), 250)
    assert.equal(await one.say('DATA'), 354)
    assert.equal(await one.say(`${'\r\n'.repeat(500_000)}.`), 250)
  })

  // The library takes a message apart at each line that begins with a dot.
  test('refuses a message in too many pieces, and hangs up', async ({ assert }) => {
    const one = client()
    assert.equal(await one.begin(valid()), 250)
    assert.equal(await one.say('DATA'), 354)
    assert.equal(await one.say('..\r\n'.repeat(2 * bouncesConfig.maxPieces)), 554)
    await one.closed()
    assert.equal(await client().begin(valid()), 250, 'others are served')
  })

  test('takes few pieces a minute', async ({ assert }) => {
    bouncesConfig.maxPieces = 10
    bouncesConfig.piecesPerMinute = 20
    const one = client()
    await one.begin(valid())
    await one.say('DATA')
    assert.equal(await one.say('..\r\n'.repeat(20)), 554)
    assert.equal(await client().begin(valid()), 451)
  })

  test('ends a connection that sends too much, whatever it sends', async ({ assert }) => {
    bouncesConfig.maxConnectionBytes = 262_144
    const one = client()
    assert.equal(await one.begin(valid()), 250)
    await one.say('DATA')
    await one.flood(1_048_576)
    await one.closed()
    assert.isTrue(one.isClosed)
  })

  test('ends a connection that sends commands but no messages', async ({ assert }) => {
    const one = client()
    await one.begin()
    let [reply, taken] = [await one.say('NOOP\r\n'.repeat(1_000)), 0]
    for (; reply === 250; taken++) reply = await one.reply()
    assert.equal(reply, 421)
    assert.isBelow(taken, bouncesConfig.maxCommands)
    await one.closed()
  })

  test('takes any number of messages in a connection', async ({ assert }) => {
    bouncesConfig.maxCommands = 5
    const one = client()
    await one.begin()
    for (let message = 0; message < 5; message++) {
      if (message > 0) assert.equal(await one.say('MAIL FROM:<>'), 250)
      assert.equal(await one.say(`RCPT TO:<${valid()}>`), 250)
      assert.equal(await one.say('DATA'), 354)
      assert.equal(await one.say('Subject: Out of office\r\n\r\nBye\r\n.'), 250)
    }
  })

  test('ends a connection that lasts too long', async ({ assert }) => {
    bouncesConfig.connectionMs = 1_000
    const one = client()
    await one.begin(valid())
    await one.say('DATA')
    await one.closed()
    assert.isTrue(one.isClosed)
  })

  test('takes few connections of one client', async ({ assert }) => {
    bouncesConfig.maxConnectionsPerClient = 3
    const first = Array.from({ length: 3 }, () => client())
    assert.deepEqual(await Promise.all(first.map((one) => one.reply())), [220, 220, 220])
    assert.equal(await client().reply(), 421)
    first[0].end()
    await first[0].closed()
  })

  test('takes few connections of all clients together', async ({ assert }) => {
    bouncesConfig.maxConnections = 2
    const small = new ReportServer()
    const smallPort = await small.listen(0, '127.0.0.1')
    const all = Array.from({ length: 2 }, () => new Client(smallPort))
    assert.deepEqual(await Promise.all(all.map((one) => one.reply())), [220, 220])
    const third = new Client(smallPort)
    assert.equal(await third.reply(), 421)
    for (const one of [...all, third]) one.end()
    await small.close()
  })

  test('ends idle connections of those who hold many for a new client', async ({ assert }) => {
    bouncesConfig.maxConnections = 4
    const small = new ReportServer()
    const smallPort = await small.listen(0, '127.0.0.1')
    const from = (address: string) => new Client(smallPort, address)
    const busy = from('127.0.0.2')
    assert.equal(await busy.begin(valid()), 250)
    const idle = ['127.0.0.2', '127.0.0.3', '127.0.0.3'].map(from)
    for (const one of idle) assert.equal(await one.reply(), 220)
    const relay = from('127.0.0.4')
    assert.equal(await relay.begin(valid()), 250)
    await idle[0].closed()
    assert.isFalse(busy.isClosed)
    for (const one of [busy, ...idle, relay]) one.end()
    await small.close()
  })

  test('serves a client that passed on many forged reports', async ({ assert }) => {
    const forge = async () => {
      const one = client()
      await one.begin('ada@acme.example')
      await one.say('RCPT TO:<bob@acme.example>')
      assert.equal(await one.say('RCPT TO:<eve@acme.example>'), 421)
      await one.closed()
    }
    for (let round = 0; round < 8; round++)
      await Promise.all([forge(), forge(), forge(), forge(), forge()])
    assert.equal(await client().begin(valid()), 250)
  })

  test('takes reports at an internationalized domain', async ({ assert }) => {
    mailConfig.bounceAddress = { ...ADDRESS, domain: 'xn--bcher-kva.example' }
    assert.equal(await client().begin(valid()), 250)
    assert.equal(await client().begin(valid().toUpperCase()), 250)
    const foreign = valid().replace('bcher-kva', 'bcher-kvb')
    assert.equal(await client().begin(foreign), 550)
  })

  test('takes few recipients and few messages a minute', async ({ assert }) => {
    bouncesConfig.messagesPerMinute = 2
    const one = client()
    assert.equal(await one.begin(valid()), 250)
    for (let id = 1; id < bouncesConfig.maxRecipients; id++) {
      const address = bounceAddressOf(notificationReference(id, '2026', 'ada@acme.example'))
      assert.equal(await one.say(`RCPT TO:<${address}>`), 250)
    }
    const another = bounceAddressOf(notificationReference(99, '2026', 'ada@acme.example'))
    assert.equal(await one.say(`RCPT TO:<${another}>`), 452)
    assert.equal(await client().begin(valid()), 250)
    assert.equal(await client().begin(valid()), 451)
  })

  test('counts only messages to addresses that it has signed', async ({ assert }) => {
    bouncesConfig.messagesPerMinute = 2
    const one = client()
    await one.begin()
    for (let time = 0; time < 5; time++) {
      await one.say('RSET')
      assert.equal(await one.say('MAIL FROM:<>'), 250)
    }
    assert.equal(await client().begin('ada@acme.example'), 550)
    assert.equal(await client().begin(valid()), 250)
  })

  test('takes few messages about the same notification', async ({ assert }) => {
    for (let time = 0; time < bouncesConfig.repetitionsPerMinute; time++) {
      assert.equal(await client().begin(valid()), 250)
    }
    assert.equal(await client().begin(valid()), 451)
    const reference = notificationReference(99, '2026', 'ada@acme.example')
    assert.equal(await client().begin(bounceAddressOf(reference)!), 250, 'about another one')
  })
})

test.group('STARTTLS of the listener', (group) => {
  const { cert, key } = selfSignedCertificate()
  let server: ReportServer
  let port: number

  group.setup(async () => {
    mailConfig.bounceAddress = ADDRESS
    bouncesConfig.tls = { cert: Buffer.from(cert), key: Buffer.from(key) }
    server = new ReportServer()
    port = await server.listen(0, '127.0.0.1')
    return async () => {
      await server.close()
      Object.assign(bouncesConfig, { tls: null })
      mailConfig.bounceAddress = null
    }
  })

  test('takes reports in encrypted connections', async ({ assert }) => {
    const tls = { ca: cert, servername: 'localhost' }
    const transport = createTransport({ host: '127.0.0.1', port, requireTLS: true, tls })
    const to = bounceAddressOf(notificationReference(MAX_ID, '2026-11-23', 'alan@acme.example'))!
    const report = { envelope: { from: '', to: [to] }, raw: 'Subject: Out of office\r\n\r\nBye' }
    const { accepted } = await transport.sendMail(report)
    assert.deepEqual(accepted, [to])
    const foreign = { ...report, envelope: { from: '', to: ['ada@acme.example'] } }
    await assert.rejects(() => transport.sendMail(foreign), /550/)
    transport.close()
  })

  test('takes any number of encrypted connections, one after another', async ({ assert }) => {
    const tls = { ca: cert, servername: 'localhost' }
    for (let count = 0; count < 2 * bouncesConfig.maxConnectionsPerClient; count++) {
      const transport = createTransport({ host: '127.0.0.1', port, requireTLS: true, tls })
      assert.isTrue(await transport.verify())
      transport.close()
    }
  })

  test('takes them without encryption from servers that know none', async ({ assert }) => {
    const one = new Client(port)
    assert.equal(await one.begin(), 250)
    one.end()
  })

  test('forgets what was said before the encryption', async ({ assert }) => {
    const plain = connect(port, '127.0.0.1')
    const received = () => once(plain, 'data').then(([chunk]) => String(chunk))
    assert.match(await received(), /^220 /)
    plain.write('EHLO attacker.example\r\n')
    assert.match(await received(), /STARTTLS/)
    plain.write('STARTTLS\r\nMAIL FROM:<>\r\n')
    assert.match(await received(), /^220 [^\n]*\r\n$/)
    const encrypted = connectTls({ socket: plain, ca: cert, servername: 'localhost' })
    await once(encrypted, 'secureConnect')
    encrypted.write('RCPT TO:<ada@acme.example>\r\n')
    const [reply] = await once(encrypted, 'data')
    assert.match(String(reply), /^503 /, 'no sender is known')
    encrypted.destroy()
  })
})

test.group('A service with a port for reports', () => {
  test('serves it, and closes it when it ends', async ({ assert }) => {
    const port = await freePort()
    const service = await startService({
      BOUNCE_ADDRESS: 'bounces@acme.example',
      BOUNCE_SMTP_PORT: String(port),
    })
    const open = new Client(port)
    assert.equal(await open.begin(), 250)
    assert.equal(await service.stop(), 0)
    await open.closed()
    const late = new Client(port)
    assert.isNull(await late.reply())
  }).timeout(120_000)

  test('does not start with settings that cannot work', async ({ assert }) => {
    const refused = startService({
      BOUNCE_ADDRESS: `${'b'.repeat(26)}@acme.example`,
      BOUNCE_SMTP_PORT: '3333',
      PORT: '3333',
      BOUNCE_SMTP_CERT_FILE: '/nowhere/cert.pem',
    })
    const errors = [
      'BOUNCE_ADDRESS must be',
      'BOUNCE_SMTP_PORT must differ',
      'BOUNCE_SMTP_CERT_FILE and BOUNCE_SMTP_KEY_FILE must be set together',
      'BOUNCE_SMTP_CERT_FILE must be a file that can be read',
    ]
    await assert.rejects(() => refused, new RegExp(errors.join('[^]*')))
  }).timeout(120_000)
})
