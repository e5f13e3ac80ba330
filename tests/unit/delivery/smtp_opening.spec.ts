import { once } from 'node:events'
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'
import { TLSSocket } from 'node:tls'
import { test } from '@japa/runner'
import { SmtpOpening } from '#app/delivery/mail/smtp_opening'
import { smtpFailure } from '#app/delivery/mail/smtp_failure'
import { SmtpSession } from '#app/delivery/mail/smtp_session'
import { selfSignedCertificate } from '#tests/world/certificate'

const ENVELOPE = { from: 'shop@tests.example', to: ['person@tests.example'] }
const CONTENT = 'Subject: One\r\n\r\nOne\r\n'
const ACCEPTED: Record<string, string> = {
  'EHLO': '250-tests\r\n250 AUTH PLAIN',
  'AUTH': '235 welcome',
  'DATA': '354 go on',
  '.': '250 taken',
}

const lines = (code: number, count: number) => `${code}-x\r\n`.repeat(count) + `${code} x`
const wideLine = (code: number, length: number) => `${code} ${'x'.repeat(length)}`

type Cleanup = (callback: () => void) => void

interface Talk {
  greeting?: string
  /** Replies by the first word of commands */
  replies?: Record<string, string>
  /** What the socket does instead of replying to STARTTLS */
  secure?: (socket: Socket) => Socket
}

async function aServer(
  cleanup: Cleanup,
  { greeting = '220 tests', replies = {}, secure = (socket) => socket }: Talk
) {
  const commands: string[] = []
  const sockets = new Set<Socket>()
  const listen = (socket: Socket) =>
    void socket
      .on('error', () => {})
      .on('data', (piece: Buffer) => {
        for (const line of String(piece).split('\r\n').slice(0, -1)) {
          const [word] = line.split(' ')
          commands.push(word)
          const reply = replies[word] ?? ACCEPTED[word]
          if (reply !== undefined || /^(MAIL|RCPT)$/.test(word)) {
            socket.write(`${reply ?? '250 ok'}\r\n`)
          }
          if (word !== 'STARTTLS') continue
          socket.removeAllListeners('data')
          listen(secure(socket))
        }
      })
  const server = createServer((socket) => {
    sockets.add(socket)
    listen(socket)
    socket.write(`${greeting}\r\n`)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanup(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, commands }
}

async function sendTo(cleanup: Cleanup, talk: Talk) {
  const { port, commands } = await aServer(cleanup, talk)
  const account = { host: '127.0.0.1', port, secure: false, user: 'shop', password: 'secret' }
  const session = new SmtpSession({ ...account, tls: 'none' })
  cleanup(() => session.close())
  const reply = session.send(ENVELOPE, CONTENT)
  return { reply, commands, session }
}

test.group('A server that greets, introduces itself and lets someone log in', () => {
  for (const [title, talk, said] of [
    ['greets in too many lines', { greeting: lines(220, 300) }, []],
    ['greets in too long a line', { greeting: wideLine(220, 1_100) }, []],
    ['sends empty lines without end', { greeting: '\r\n'.repeat(300) }, []],
    ['introduces itself in too many lines', { replies: { EHLO: lines(250, 300) } }, ['EHLO']],
    [
      'never stops introducing itself',
      { replies: { EHLO: '250-x\r\n'.repeat(300) + '250-x' } },
      ['EHLO'],
    ],
    ['is verbose about the login', { replies: { AUTH: lines(235, 300) } }, ['EHLO', 'AUTH']],
    [
      'says too much in all',
      {
        greeting: lines(220, 100),
        replies: {
          EHLO: `${lines(250, 100)}\r\n`.replace(/250 x\r\n$/, '250 AUTH PLAIN'),
          AUTH: lines(235, 100),
        },
      },
      ['EHLO', 'AUTH'],
    ],
    [
      'uses too many bytes in few lines',
      { replies: { EHLO: `250-${'x'.repeat(900)}\r\n`.repeat(20) + '250 x' } },
      ['EHLO'],
    ],
  ] as const) {
    test(`is left if it ${title}, and the mail can be tried again`, async ({ assert, cleanup }) => {
      const { reply, commands, session } = await sendTo(cleanup, talk)
      const error: unknown = await reply.catch((problem: unknown) => problem)
      assert.match(String(error), /too long/)
      assert.containSubset(smtpFailure(error), { reason: 'connection_lost', transient: true })
      assert.isFalse(session.isUsable)
      assert.deepEqual(commands, [...said])
    })
  }

  test('may say what real servers say, and more', async ({ assert, cleanup }) => {
    const { reply } = await sendTo(cleanup, {
      greeting: `220-${'Only for customers. '.repeat(40)}\r\n`.repeat(5) + '220 tests',
      replies: { EHLO: `${'250-XTENSION\r\n'.repeat(50)}250 AUTH LOGIN PLAIN` },
    })
    assert.equal(await reply, '250 taken')
  })

  test('is understood at once, whatever spaces are in its offers', async ({ assert, cleanup }) => {
    const offer = `250-AUTH${' \t'.repeat(500)}x\r\n`
    const { reply, commands } = await sendTo(cleanup, {
      replies: { EHLO: `250-tests\r\n${offer.repeat(15)}250 AUTH \t PLAIN` },
    })
    assert.equal(await reply, '250 taken')
    assert.include(commands, 'AUTH')
  }).timeout(10_000)

  test('must be as brief over TLS', async ({ assert, cleanup }) => {
    const { key, cert } = selfSignedCertificate()
    const replies: Record<string, string> = {
      EHLO: '250-tests\r\n250 STARTTLS',
      STARTTLS: '220 go',
    }
    const { port, commands } = await aServer(cleanup, {
      replies,
      secure: (socket) => {
        replies.EHLO = lines(250, 300)
        return new TLSSocket(socket, { isServer: true, key, cert })
      },
    })
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    const opening = new SmtpOpening({ connection: socket, tls: { rejectUnauthorized: false } })
    cleanup(() => opening.close())
    opening.connect(() => {})
    const [error] = (await once(opening, 'error')) as [Error]
    assert.match(error.message, /too long/)
    assert.deepEqual(commands, ['EHLO', 'STARTTLS', 'EHLO'])
  })
})
