import { test } from '@japa/runner'
import { QuotableSecrets, shortLine } from '#core/values/short_line'

test.group('Short lines', () => {
  test('are cut after their secrets were replaced', ({ assert }) => {
    const secret = '482-915-037'
    for (let before = 0; before <= 30; before++) {
      const line = shortLine(`${'x'.repeat(before)}${secret} was refused`, [secret], 20)
      assert.isAtMost(line.length, 20)
      assert.notInclude(line, '4')
    }
  })

  test('contain no secret that has other white space than its quotation', ({ assert }) => {
    for (const [secret, quoted] of [
      ['one two', 'one\r\n two'],
      ['one\n\ntwo', 'one two'],
      ['one\ttwo', 'one\ttwo'],
      ['one\ntwo', 'one%0Atwo'],
    ]) {
      assert.equal(shortLine(`550 refused ${quoted}`, [secret]), '550 refused …')
    }
  })

  test('have no control characters and no halves of characters', ({ assert }) => {
    assert.equal(shortLine(' one\u0000\r\n\u202etwo \ud83d', []), 'one two')
    assert.equal(shortLine('xx😀', [], 3), 'xx')
  })
})

test.group('Collected secrets', () => {
  const codes = (count: number) => Array.from({ length: count }, (_, index) => `${1_000 + index}`)

  test('are kept once, and are looked for', ({ assert }) => {
    const secrets = new QuotableSecrets()
    secrets.add(codes(200))
    secrets.add(codes(200))
    assert.isFalse(secrets.areTooMany)
    assert.equal(shortLine('550 not 1199 here', secrets.all), '550 not … here')
  })

  test('leave only the reply code if they are too many, which few of them suffice for', ({
    assert,
  }) => {
    const secrets = new QuotableSecrets()
    secrets.add(codes(10_000))
    assert.isTrue(secrets.areTooMany)
    assert.lengthOf(secrets.all, 201)
    assert.equal(shortLine('550 not 9999 here', secrets.all), '550 …')
  })

  test('hide the same of a text if they are long', ({ assert }) => {
    const secret = 'secret'.repeat(100_000)
    const secrets = new QuotableSecrets()
    secrets.add([secret])
    assert.isBelow(secrets.all[0].length, 5_000)
    for (const text of [`550 ${secret}`, '550 refused', `550 ${secret.slice(0, 4_092)}`]) {
      assert.equal(shortLine(text, secrets.all), shortLine(text, [secret]))
    }
  })
})
