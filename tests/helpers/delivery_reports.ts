/** Reports in the shapes of well-known mail servers, about a mail to `recipient`. */

interface Report {
  /** The human-readable part */
  words?: string
  /** The machine-readable part */
  status: string
  type?: string
  boundary?: string
  /** What the mail contained, after the status */
  returned?: string
  headers?: string[]
}

const CRLF = '\r\n'

const lines = (...all: string[]) => all.join(CRLF)

/** A `multipart/report` with three parts. */
export function report({
  words = 'Your message could not be delivered.',
  status,
  type = 'message/delivery-status',
  boundary = 'report.boundary',
  returned = lines('Subject: Hello', '', 'Something happened'),
  headers = [],
}: Report): Buffer {
  const [, subtype] = type.split(/[/\r]/)
  const text = lines(
    'From: MAILER-DAEMON@mx.example (Mail Delivery System)',
    'To: bounces@acme.example',
    'Subject: Undelivered Mail Returned to Sender',
    'MIME-Version: 1.0',
    ...headers,
    `Content-Type: multipart/report; report-type=${subtype};`,
    `\tboundary="${boundary}"`,
    '',
    'This is a MIME-encapsulated message.',
    '',
    `--${boundary}`,
    'Content-Type: text/plain; charset=us-ascii',
    '',
    words,
    '',
    `--${boundary}`,
    `Content-Type: ${type}`,
    '',
    status,
    '',
    `--${boundary}`,
    'Content-Type: message/rfc822',
    '',
    returned,
    '',
    `--${boundary}--`,
    ''
  )
  return Buffer.from(text)
}

export const postfixReport = (recipient: string, status = '5.1.1', reply = '550 5.1.1') =>
  report({
    boundary: '4C1F2A0C3B.1793000000/mx.example',
    words: `<${recipient}>: host mail.example[192.0.2.1] said: ${reply}\r\n    <${recipient}>: User unknown`,
    status: lines(
      'Reporting-MTA: dns; mx.example',
      'X-Postfix-Queue-ID: 4C1F2A0C3B',
      'X-Postfix-Sender: rfc822; bounces+token@acme.example',
      'Arrival-Date: Mon, 23 Nov 2026 10:00:00 +0000 (UTC)',
      '',
      `Final-Recipient: rfc822; ${recipient}`,
      `Original-Recipient: rfc822;${recipient}`,
      'Action: failed',
      `Status: ${status}`,
      'Remote-MTA: dns; mail.example',
      `Diagnostic-Code: smtp; ${reply} <${recipient}>: Recipient address`,
      '    rejected: User unknown in virtual mailbox table'
    ),
  })

/** Exim says 5.0.0 whatever happened, and has no fields but these. */
export const eximReport = (recipient: string, diagnostic = 'smtp; 550 No such user here') =>
  report({
    boundary: '1793000000-eximdsn-1804289383',
    headers: [`X-Failed-Recipients: ${recipient}`, 'Auto-Submitted: auto-replied'],
    status: lines(
      'Reporting-MTA: dns; mx.example',
      '',
      'Action: failed',
      `Final-Recipient: rfc822;${recipient}`,
      'Status: 5.0.0',
      'Remote-MTA: dns; mail.example',
      `Diagnostic-Code: ${diagnostic}`
    ),
  })

export const exchangeReport = (recipient: string) =>
  report({
    boundary: '_000_0123456789abcdefEXCHANGE_',
    headers: ['X-MS-Exchange-Message-Is-Ndr:'],
    status: lines(
      'Reporting-MTA: dns;AM0PR01MB0000.eurprd01.prod.exchangelabs.example',
      'Received-From-MTA: dns;mx.example',
      'Arrival-Date: Mon, 23 Nov 2026 10:00:00 +0000',
      '',
      `Original-Recipient: rfc822;${recipient}`,
      `Final-Recipient: rfc822;${recipient.toUpperCase()}`,
      'Action: failed',
      'Status: 5.1.10',
      'Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup'
    ),
  })

/** Gmail sends its text as `multipart/related`, and several lines of diagnostics. */
export const gmailReport = (recipient: string, diagnostic: string[]) =>
  report({
    boundary: '000000000000abcdef',
    words: 'Address not found',
    status: lines(
      'Reporting-MTA: dns; googlemail.example',
      'Arrival-Date: Mon, 23 Nov 2026 02:00:00 -0800 (PST)',
      'X-Original-Message-ID: <notification.1@acme.example>',
      '',
      `Final-Recipient: rfc822; ${recipient}`,
      'Action: failed',
      `Status: ${/\d\.\d\.\d/.exec(diagnostic[0])![0]}`,
      'Remote-MTA: dns; gmail-smtp-in.l.example. (192.0.2.2, the server for the domain gmail.example.)',
      `Diagnostic-Code: smtp; ${diagnostic.join('\r\n ')}`,
      'Last-Attempt-Date: Mon, 23 Nov 2026 02:00:01 -0800 (PST)'
    ),
  })

/** Amazon SES puts the action first. */
export const sesReport = (recipient: string) =>
  report({
    boundary: '----=_Part_1_1.1793000000',
    status: lines(
      'Reporting-MTA: dns; a8-50.smtp-out.amazonses.example',
      '',
      'Action: failed',
      `Final-Recipient: rfc822; ${recipient}`,
      'Diagnostic-Code: smtp; 550 5.1.1 user unknown',
      'Status: 5.1.1'
    ),
  })

/** @param action `delayed` or `relayed` */
export const progressReport = (recipient: string, action: string) =>
  report({
    status: lines(
      'Reporting-MTA: dns; mx.example',
      '',
      `Final-Recipient: rfc822; ${recipient}`,
      `Action: ${action}`,
      'Status: 4.4.1',
      'Diagnostic-Code: smtp; 451 4.4.1 no answer'
    ),
  })

/** One report about several recipients. */
export const listReport = (recipients: Record<string, string>) =>
  report({
    status: [
      'Reporting-MTA: dns; mx.example',
      ...Object.entries(recipients).map(([email, status]) =>
        lines(`Final-Recipient: rfc822; ${email}`, 'Action: failed', `Status: ${status}`)
      ),
    ].join(CRLF + CRLF),
  })

export const complaint = (type = 'abuse', recipient?: string) =>
  report({
    type: 'message/feedback-report',
    status: lines(
      `Feedback-Type: ${type}`,
      'User-Agent: SomeGenerator/1.0',
      'Version: 1',
      ...(recipient === undefined ? [] : [`Original-Rcpt-To: <${recipient}>`])
    ),
  })
