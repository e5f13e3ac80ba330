import { once } from 'node:events'
import { type AddressInfo, type Socket, createServer } from 'node:net'
import { test } from '@japa/runner'
import { smtpFailure } from '#app/delivery/mail/smtp_failure'
import { SmtpSession } from '#app/delivery/mail/smtp_session'

const ENVELOPE = { from: 'shop@tests.example', to: ['person@tests.example'] }
const COMMANDS = ['MAIL FROM:<shop@tests.example>', 'RCPT TO:<person@tests.example>', 'DATA']

interface Talk {
  extensions?: string[]
  /** Replies to what arrived in one piece after EHLO */
  respond: (lines: string[], socket: Socket) => void
}

/** A server that says what a test wants, and keeps what it was told, piece by piece. */
async function aServer(
  cleanup: (callback: () => void) => void,
  { extensions = [], respond }: Talk
) {
  const pieces: string[][] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => {}).write('220 tests\r\n')
    socket.setEncoding('utf8').on('data', (piece: string) => {
      const lines = piece.split('\r\n').slice(0, -1)
      if (lines[0].startsWith('EHLO')) {
        const offers = ['tests', ...extensions]
        socket.write(offers.map((one) => `250-${one}\r\n`).join('') + '250 HELP\r\n')
      } else {
        pieces.push(lines)
        respond(lines, socket)
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const account = { host: '127.0.0.1', port, secure: false, user: null, password: null }
  const session = new SmtpSession({ ...account, tls: 'none' as const })
  cleanup(() => {
    session.close()
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { session, pieces }
}

const REPLIES: Record<string, string> = { MAIL: '250 ok', RCPT: '250 ok', DATA: '354 go on' }

const replyTo = (line: string) => REPLIES[line.slice(0, 4)] ?? '250 taken'

const accept = (lines: string[], socket: Socket) => {
  const isContent = !(lines[0].slice(0, 4) in REPLIES)
  const replies = isContent ? ['250 taken'] : lines.map(replyTo)
  socket.write(replies.map((reply) => `${reply}\r\n`).join(''))
}

const refusalOf = async (sending: Promise<string>) => {
  const error: unknown = await sending.then(() => null).catch((reason: unknown) => reason)
  return smtpFailure(error)
}

test.group('Mails sent over a connection', () => {
  test('send their commands together to a server with pipelining', async ({ assert, cleanup }) => {
    const { session, pieces } = await aServer(cleanup, {
      extensions: ['PIPELINING'],
      respond: accept,
    })
    for (const text of ['One', 'Two']) {
      assert.equal(await session.send(ENVELOPE, `Subject: ${text}\r\n\r\n${text}\r\n`), '250 taken')
    }
    const content = (text: string) => [`Subject: ${text}`, '', text, '.']
    assert.deepEqual(pieces, [COMMANDS, content('One'), COMMANDS, content('Two')])
  })

  test('send one command after another to a server without it', async ({ assert, cleanup }) => {
    const { session, pieces } = await aServer(cleanup, { respond: accept })
    await session.send(ENVELOPE, 'Subject: One\r\n\r\nOne\r\n')
    assert.deepEqual(pieces.slice(0, 3), [[COMMANDS[0]], [COMMANDS[1]], [COMMANDS[2]]])
    assert.lengthOf(pieces, 4)
  })

  test('have a second dot in lines that begin with one', async ({ assert, cleanup }) => {
    const { session, pieces } = await aServer(cleanup, {
      extensions: ['PIPELINING'],
      respond: accept,
    })
    await session.send(ENVELOPE, '.first\r\n\r\n.\r\n..\r\na.b\r\n')
    assert.deepEqual(pieces[1], ['..first', '', '..', '...', 'a.b', '.'])
  })

  for (const [refused, command] of [
    [0, 'MAIL'],
    [1, 'RCPT'],
    [2, 'DATA'],
  ] as const) {
    test(`are refused by the reply to ${command}, and their content is not sent`, async ({
      assert,
      cleanup,
    }) => {
      const { session, pieces } = await aServer(cleanup, {
        extensions: ['PIPELINING'],
        respond: (lines, socket) => {
          const replies = lines.map((line, index) => {
            if (index === refused) return '550-5.1.1 no such\r\n550 5.1.1 mailbox'
            return index > refused ? '503 bad sequence' : replyTo(line)
          })
          socket.write(replies.map((reply) => `${reply}\r\n`).join(''))
        },
      })
      const failure = await refusalOf(session.send(ENVELOPE, 'Subject: One\r\n\r\nOne\r\n'))
      assert.containSubset(failure, { reason: 'refused', transient: false, code: 550 })
      assert.equal(failure.text, '550-5.1.1 no such\n550 5.1.1 mailbox')
      assert.equal(failure.bounce, command === 'RCPT' ? 'hard' : null)
      assert.deepEqual(pieces, [COMMANDS])
    })
  }

  test('are refused unless the server asks for their content', async ({ assert, cleanup }) => {
    const { session, pieces } = await aServer(cleanup, {
      extensions: ['PIPELINING'],
      respond: (lines, socket) => socket.write(lines.map(() => '250 ok\r\n').join('')),
    })
    const failure = await refusalOf(session.send(ENVELOPE, 'Subject: One\r\n\r\nOne\r\n'))
    assert.equal(failure.reason, 'mail_not_accepted')
    assert.deepEqual(pieces, [COMMANDS])
  })

  test('understand replies of several lines that arrive in parts', async ({ assert, cleanup }) => {
    const { session } = await aServer(cleanup, {
      respond: (lines, socket) => {
        const isContent = !(lines[0].slice(0, 4) in REPLIES)
        if (!isContent) return accept(lines, socket)
        const parts = Buffer.from('250-angenommen für\r\n250 Person\r\n')
        socket.write(parts.subarray(0, 16), () =>
          setImmediate(() => socket.write(parts.subarray(16)))
        )
      },
    })
    const reply = await session.send(ENVELOPE, 'Subject: One\r\n\r\nOne\r\n')
    assert.equal(reply, '250-angenommen für\n250 Person')
  })

  test('are accepted even if the server says goodbye together with that', async ({
    assert,
    cleanup,
  }) => {
    const { session } = await aServer(cleanup, {
      respond: (lines, socket) => {
        if (lines[0].slice(0, 4) in REPLIES) accept(lines, socket)
        else socket.end('250 taken\r\n421 closing\r\n')
      },
    })
    assert.equal(await session.send(ENVELOPE, 'Subject: One\r\n\r\nOne\r\n'), '250 taken')
    assert.isFalse(session.isUsable)
  })

  for (const [title, talk, message] of [
    ['replies without an end', `250-${'a'.repeat(70_000)}\r\n`, /too long/],
    ['a reply that nobody expects', '250 ok\r\n250 ok\r\n', /unexpected/],
  ] as const) {
    test(`end with their connection after ${title}`, async ({ assert, cleanup }) => {
      const { session } = await aServer(cleanup, { respond: (_, socket) => socket.write(talk) })
      await assert.rejects(() => session.send(ENVELOPE, 'Subject: One\r\n\r\nOne\r\n'), message)
      assert.isFalse(session.isUsable)
    })
  }

  test('need addresses that cannot contain commands', async ({ assert, cleanup }) => {
    const { session, pieces } = await aServer(cleanup, { respond: accept })
    const envelope = { from: 'a@tests.example', to: ['b@tests.example>\r\nRSET'] }
    const failure = await refusalOf(session.send(envelope, 'Subject: One\r\n\r\nOne\r\n'))
    assert.equal(failure.reason, 'mail_not_accepted')
    assert.isEmpty(pieces)
  })

  test('name addresses with accents only to servers that know them', async ({
    assert,
    cleanup,
  }) => {
    const envelope = { from: 'shop@tests.example', to: ['jiří@tests.example'] }
    for (const [extensions, option] of [
      [['SMTPUTF8'], ' SMTPUTF8'],
      [[], ''],
    ] as const) {
      const { session, pieces } = await aServer(cleanup, {
        extensions: [...extensions],
        respond: accept,
      })
      await session.send(envelope, 'Subject: One\r\n\r\nOne\r\n')
      assert.deepEqual(pieces[0], [`MAIL FROM:<shop@tests.example>${option}`])
    }
  })
})
