import { test } from '@japa/runner'
import { createTransport } from 'nodemailer'
import { type ReceivedMail, type RunningMailbox, startMailbox } from '#development/mailbox/main'

async function send(mailbox: RunningMailbox, fields: object) {
  const transport = createTransport({ host: '127.0.0.1', port: mailbox.smtpPort, ignoreTLS: true })
  await transport.sendMail({ from: 'shop@tests.example', to: 'ada@tests.example', ...fields })
  transport.close()
}

test.group('Development mailbox', (group) => {
  let mailbox: RunningMailbox

  group.each.setup(async () => {
    mailbox = await startMailbox({ host: '127.0.0.1', smtpPort: 0, pagePort: 0 })
    return () => mailbox.close()
  })

  const page = async (path: string) => {
    const response = await fetch(mailbox.url + path)
    return { status: response.status, text: await response.text(), headers: response.headers }
  }

  test('lists received mails, newest first', async ({ assert }) => {
    await send(mailbox, { subject: 'First', text: 'one' })
    await send(mailbox, { subject: 'Second', text: 'two' })

    const { text } = await page('/')
    assert.isBelow(text.indexOf('Second'), text.indexOf('First'))
    assert.isAbove(text.indexOf('First'), 0)
  })

  test('shows the HTML, text and headers of a mail', async ({ assert }) => {
    await send(mailbox, {
      subject: 'Příliš žluťoučký kůň',
      text: 'plain words',
      html: '<p style="color:red">rich words</p>',
      headers: { 'X-Kind': 'test' },
    })

    const mail = await page('/mails/1')
    assert.include(mail.text, 'Příliš žluťoučký kůň')
    assert.include(mail.text, 'plain words')
    assert.match(mail.text, /x-kind: test/i)
    const frame = await page('/mails/1/html')
    assert.include(frame.text, 'rich words')
  })

  test('runs no scripts of a mail', async ({ assert }) => {
    const script = '<script>document.title = "taken over"</script>'
    await send(mailbox, { subject: script, html: `<p>hello</p>${script}`, text: script })

    const mail = await page('/mails/1')
    assert.notInclude(mail.text, '<script>')
    const frame = await page('/mails/1/html')
    assert.match(frame.headers.get('content-security-policy')!, /default-src 'none'.*; sandbox/)
  })

  test('lists and deletes mails through its API', async ({ assert }) => {
    await send(mailbox, { subject: 'For a script', text: 'x', bcc: 'hidden@tests.example' })

    const mails = (await (await fetch(`${mailbox.url}/api/mails`)).json()) as ReceivedMail[]
    assert.lengthOf(mails, 1)
    assert.equal(mails[0].subject, 'For a script')
    assert.sameMembers(mails[0].envelope.to, ['ada@tests.example', 'hidden@tests.example'])

    await fetch(`${mailbox.url}/api/mails`, { method: 'DELETE' })
    assert.deepEqual(await (await fetch(`${mailbox.url}/api/mails`)).json(), [])
  })

  test('responds 404 for unknown pages', async ({ assert }) => {
    assert.equal((await page('/mails/7')).status, 404)
    assert.equal((await page('/nowhere')).status, 404)
  })

  test('names the port that is in use', async ({ assert }) => {
    await assert.rejects(
      () => startMailbox({ host: '127.0.0.1', smtpPort: mailbox.smtpPort, pagePort: 0 }),
      `Port ${mailbox.smtpPort} of 127.0.0.1, for the development mailbox, is already in use`
    )
  })
})
