import { test } from '@japa/runner'
import { shortLine } from '#core/values/short_line'

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
