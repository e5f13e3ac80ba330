import { test } from '@japa/runner'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import { aTemplate, aType, sendNotification } from '#tests/helpers/deliveries'
import { anApplication, uniqueEmail } from '#tests/helpers/people'
import { smtp } from '#tests/world/prepare'

const ENCODED = '=?utf-8?B?WW91ciBiYW5r?='

/** Texts that mail programs would decode or split in an unencoded header. */
const TEXTS: Record<string, string> = {
  'an encoded word': ENCODED,
  'an encoded word among other words': `Hello =?utf-8?Q?=0D=0ABcc:_thief@evil.example?= you`,
  'an encoded word beside letters that need encoding': `Žluťoučký ${ENCODED} kůň ${ENCODED}`,
  'an incomplete encoded word': '=?utf-8?B?WW91',
  'a long text with encoded words': `${ENCODED} ${'a subject that goes on '.repeat(12)}${ENCODED}`,
  'a text that cannot be folded': 'x'.repeat(990),
  'quotes, commas and brackets': 'A "quoted", <bracketed>; \\name@x.example:',
}

test.group('Header texts of a mail', () => {
  for (const [what, text] of Object.entries(TEXTS)) {
    test(`arrive unchanged: ${what}`, async ({ assert, client }) => {
      const application = await anApplication()
      const type = await aType(application, { emailFromName: text.slice(0, 128) })
      await aTemplate(type, { en: { subject: 'Re: {{text}}', body: '<p>{{text}}</p>' } })
      const user = await ensureUser({ email: uniqueEmail() })
      await user.merge({ displayName: text.slice(0, 128) }).save()
      const response = await sendNotification(client, {
        recipientEmail: user.email,
        appCode: application.code,
        type: type.code,
        data: { text },
      })
      assert.equal(response.body().data.status, 'sent')

      const [mail] = smtp.mailsTo(user.email)
      const { subject, from, headers } = mail.parsed
      assert.equal(subject, `Re: ${text}`)
      const name = text.slice(0, 128).trim()
      assert.equal(from?.value.length, 1)
      assert.equal(from?.value[0].name.trim(), name)
      const to = headers.get('to') as { value: { address: string; name: string }[] }
      assert.deepEqual(
        to.value.map((recipient) => ({ ...recipient, name: recipient.name.trim() })),
        [{ address: user.email, name }]
      )
      assert.deepEqual(mail.to, [user.email])
      assert.isFalse(headers.has('bcc'))
      const [head] = mail.raw.toString().split('\r\n\r\n', 1)
      for (const line of head.split('\r\n')) assert.isAtMost(line.length, 998)
    })
  }
})
