import fc from 'fast-check'
import quotedPrintable from 'nodemailer/lib/qp/index.js'
import { test } from '@japa/runner'
import { encoded } from '#app/delivery/mail/encoded_body'

const anyText = fc.array(
  fc.oneof(
    fc.constantFrom(' ', '\t', '\r\n', '\n', '\r', '=', '.', '&', 'é', '😀', '\ud800'),
    fc.string({ unit: 'binary' })
  ),
  { maxLength: 60 }
)

test('Quoted-printable text is that of nodemailer', ({ assert }) => {
  fc.assert(
    fc.property(anyText, (parts) => {
      const text = parts.join('')
      const expected = quotedPrintable.wrap(quotedPrintable.encode(text))
      assert.equal(encoded(text, 'quoted-printable'), expected)
    })
  )
})
