import { test } from '@japa/runner'
import { readReport } from '#app/bounces/reports/read_report'
import { cpuMs } from '#tests/helpers/cpu'
import {
  complaint,
  eximReport,
  exchangeReport,
  gmailReport,
  listReport,
  postfixReport,
  progressReport,
  report,
  sesReport,
} from '#tests/helpers/delivery_reports'

const ALAN = 'alan+news@acme.example'

const kindIn = (mail: Buffer, recipient = ALAN) => readReport(mail, recipient)?.kind ?? null

const FULL = ['452-4.2.2 The email account that you tried to reach is over quota.', '4.2.2 Please']
const GONE = ['550-5.1.1 The email account that you tried to reach does not', '550-5.1.1 exist.']

test.group('A delivery report', () => {
  test('of Postfix, Exim, Exchange, Gmail and Amazon SES is read', ({ assert }) => {
    const text = `550 5.1.1 <${ALAN}>: Recipient address rejected: User unknown in virtual mailbox table`
    assert.deepEqual(readReport(postfixReport(ALAN), ALAN), { kind: 'hard', text })
    assert.deepEqual(readReport(eximReport(ALAN), ALAN), {
      kind: 'hard',
      text: '550 No such user here',
    })
    assert.equal(kindIn(exchangeReport(ALAN)), 'hard')
    assert.equal(kindIn(gmailReport(ALAN, GONE)), 'hard')
    assert.equal(kindIn(gmailReport(ALAN, FULL)), 'soft')
    assert.equal(kindIn(sesReport(ALAN)), 'hard')
  })

  test('is soft if it is not about the mailbox', ({ assert }) => {
    assert.equal(kindIn(postfixReport(ALAN, '5.7.1', '550 5.7.1')), 'soft')
    assert.equal(kindIn(postfixReport(ALAN, '4.4.1', '451 4.4.1')), 'soft')
    assert.equal(kindIn(postfixReport(ALAN, '5.2.2', '552 5.2.2')), 'soft')
    assert.equal(kindIn(eximReport(ALAN, 'smtp; 550 5.7.1 Blocked')), 'soft')
  })

  test('of a delay or a relay says nothing', ({ assert }) => {
    assert.isNull(kindIn(progressReport(ALAN, 'delayed')))
    assert.isNull(kindIn(progressReport(ALAN, 'relayed')))
  })

  test('is about the recipient of the mail only', ({ assert }) => {
    const both = listReport({ 'ada@acme.example': '5.1.1', [ALAN]: '4.2.2' })
    assert.equal(kindIn(both), 'soft')
    assert.equal(kindIn(both, 'ada@acme.example'), 'hard')
    assert.isNull(kindIn(both, 'bob@acme.example'))
  })

  test('names addresses in any case, in brackets and in xtext', ({ assert }) => {
    const named = (field: string) =>
      kindIn(
        report({
          status: `Reporting-MTA: dns; x\r\n\r\n${field}\r\nAction: FAILED (why)\r\nStatus: 5.1.1`,
        })
      )
    assert.equal(named('Final-Recipient: RFC822; <Alan+News@ACME.example>'), 'hard')
    assert.equal(named('Original-Recipient: rfc822;alan+2Bnews@acme.example'), 'hard')
    assert.isNull(named('Final-Recipient: x400; alan+news@acme.example'))
    assert.isNull(named('X-Recipient: alan+news@acme.example'))
  })

  test('is read with any line ends and encodings', ({ assert }) => {
    const unix = Buffer.from(postfixReport(ALAN).toString().replaceAll('\r\n', '\n'))
    assert.equal(kindIn(unix), 'hard')
    const type = 'message/delivery-status\r\nContent-Transfer-Encoding: base64'
    const status = `A: b\n\nFinal-Recipient: rfc822; ${ALAN}\nAction: failed\nStatus: 5.1.1`
    const encoded = Buffer.from(status).toString('base64')
    assert.equal(kindIn(report({ type, status: encoded })), 'hard')
  })

  test('within an attached mail is not read', ({ assert }) => {
    const returned = postfixReport(ALAN).toString()
    const mail = report({ type: 'text/plain', status: 'I am on holiday', returned })
    assert.isNull(kindIn(mail))
  })
})

test.group('A complaint', () => {
  test('counts for the recipient, unless it names someone else', ({ assert }) => {
    assert.equal(kindIn(complaint()), 'complaint')
    assert.equal(kindIn(complaint('opt-out', ALAN)), 'complaint')
    assert.isNull(kindIn(complaint('abuse', 'ada@acme.example')))
  })

  test('is none if the mail is no spam after all', ({ assert }) => {
    assert.isNull(kindIn(complaint('not-spam')))
    assert.isNull(kindIn(complaint('auth-failure')))
  })
})

test.group('Hostile mails', () => {
  const SIZE = 262_144
  const fill = (text: string) => text.repeat(SIZE / text.length)
  const nested = (depth: number): string =>
    depth === 0
      ? postfixReport(ALAN).toString()
      : `Content-Type: multipart/mixed; boundary=b${depth}\n\n--b${depth}\n${nested(depth - 1)}\n--b${depth}--`
  const status = (text: string) => report({ status: text }).toString()
  const mails: Record<string, string> = {
    'nothing': '',
    'a header without an end': fill('X'),
    'only line ends': fill('\r\n'),
    'a header that is folded for ever': `A: b${fill('\r\n ')}`,
    'a boundary without an end': `Content-Type: multipart/report; boundary="${fill('b')}`,
    'blanks before a boundary': `Content-Type: multipart/report;${fill(' ')}`,
    'a part for every line': `Content-Type: multipart/report; boundary=b\n\n${fill('--b\n\n')}`,
    'deep nesting': nested(200),
    'blanks in an address': status(`A: b\n\nAction: failed\nFinal-Recipient: rfc822;${fill(' ')}x`),
    'very many recipients': status(
      fill('Action: failed\nFinal-Recipient: rfc822; a@b.example\n\n')
    ),
    'fields for ever': status(fill('A: b\n')),
    'brackets': status(`A: b\n\nAction: failed\nFinal-Recipient: rfc822;${fill('<')}`),
    'no text at all': Buffer.alloc(SIZE, 0xff).toString('latin1'),
  }

  test('report nothing, and quickly: {0}')
    .with(Object.entries(mails))
    .run(({ assert }, [, text]) => {
      const mail = Buffer.from(text, 'latin1').subarray(0, SIZE)
      const spentMs = cpuMs(() => assert.isNull(kindIn(mail)))
      assert.isBelow(spentMs, 500)
    })
})
