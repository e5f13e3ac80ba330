import { test } from '@japa/runner'
import { htmlToPlainText } from '#app/identity_provider/mail_hook/provider_text'

const MAX_CHARACTERS = 32_768

test.group('Texts of a message from the identity provider', () => {
  test('become plain text', ({ assert }) => {
    assert.equal(htmlToPlainText('<p>Tom &amp; <b>Ada</b></p><img src="x">'), 'Tom & Ada')
    assert.isUndefined(htmlToPlainText('<p> </p>'))
  })

  test('are cut off after 32,768 characters', ({ assert }) => {
    const long = 'x'.repeat(MAX_CHARACTERS)
    assert.equal(htmlToPlainText(long), long)
    assert.equal(htmlToPlainText(`${long}y`), long)
  })
})
