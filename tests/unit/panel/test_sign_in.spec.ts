import { test } from '@japa/runner'
import { testPath, testSignIn } from '#app/panel/values/test_sign_in'

const NONCE = 'aA1-_'.padEnd(22, 'x')
const PATH = '/panel/provider/guide/sign-in?outcome=works&test='

test.group('A test sign-in', () => {
  test('is one that has the parameter', ({ assert }) => {
    assert.isNull(testSignIn(undefined))
    assert.isNotNull(testSignIn(''))
  })

  test('ends with the value that it began with', ({ assert }) => {
    for (const nonce of [NONCE, NONCE.padEnd(64, 'x')]) {
      assert.equal(testPath(testSignIn(nonce)!, null), `${PATH}${nonce}`)
    }
  })

  test('ends without any other value')
    .with([
      '',
      NONCE.slice(1),
      NONCE.padEnd(65, 'x'),
      `${NONCE}&outcome=works`,
      `${NONCE}\r\nset-cookie: a=b`,
      `${NONCE}#`,
      [NONCE],
      { value: NONCE },
    ])
    .run(({ assert }, value) => {
      assert.equal(testPath(testSignIn(value)!, null), PATH)
    })
})
