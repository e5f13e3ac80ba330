import { test } from '@japa/runner'
import {
  maskVariables,
  sensitivePaths,
  sensitiveTexts,
} from '#app/notifications/values/sensitive_variables'

const MASKED: [title: string, keys: string, data: Record<string, unknown>, expected: object][] = [
  [
    'at a path',
    'user.pin',
    { user: { pin: 12345, name: 'Ada' } },
    { user: { pin: '***', name: 'Ada' } },
  ],
  ['as a name with a dot', 'user.pin', { 'user.pin': '12345' }, { 'user.pin': '***' }],
  ['as a partly dotted name', 'a.b.c', { 'a.b': { c: '12345' } }, { 'a.b': { c: '***' } }],
  ['below a dotted name', 'a.b.c', { a: { 'b.c': '12345' } }, { a: { 'b.c': '***' } }],
  [
    'in every item of a list',
    'users.pin',
    { users: [{ pin: '12345' }, { pin: '23456', id: 1 }, [{ pin: '34567' }], 'x'] },
    { users: [{ pin: '***' }, { pin: '***', id: 1 }, [{ pin: '***' }], 'x'] },
  ],
  [
    'in one item of a list',
    'users.1.pin',
    { users: [{ pin: 'shown' }, { pin: '23456' }] },
    { users: [{ pin: 'shown' }, { pin: '***' }] },
  ],
  [
    'in one item, next to what is masked in all',
    'users.0.code users.pin',
    {
      users: [
        { pin: '12345', code: '1111' },
        { pin: '23456', code: 'shown' },
      ],
    },
    {
      users: [
        { pin: '***', code: '***' },
        { pin: '***', code: 'shown' },
      ],
    },
  ],
  [
    'in lists within lists, at positions that some keys name',
    'a.0.b a.1.0.c a.d',
    {
      a: [
        [{ b: '1111', c: 'shown', d: '1112' }],
        [{ b: 'shown', c: '2221', d: '2222' }, { c: 'shown' }],
        { b: 'shown', c: 'shown', d: '3333' },
      ],
    },
    {
      a: [
        [{ b: '***', c: 'shown', d: '***' }],
        [{ b: 'shown', c: '***', d: '***' }, { c: 'shown' }],
        { b: 'shown', c: 'shown', d: '***' },
      ],
    },
  ],
  [
    'below a key, under a name with a dot',
    'user',
    { 'user.pin': '12345', 'users': 'shown' },
    { 'user.pin': '***', 'users': 'shown' },
  ],
  [
    'with everything below it',
    'card',
    { card: { no: ['12345', { cvc: '7777' }] } },
    { card: '***' },
  ],
]

test.group('Sensitive variables', () => {
  for (const [title, list, data, expected] of MASKED) {
    test(`are masked ${title}`, ({ assert }) => {
      const keys = list.split(' ')
      const before = structuredClone(data)
      assert.deepEqual(maskVariables(data, keys), expected)
      assert.deepEqual(data, before)
      const texts = sensitiveTexts(data, keys)
      assert.isNotEmpty(texts)
      for (const text of texts) assert.notInclude(JSON.stringify(maskVariables(data, keys)), text)
    })
  }

  test('are masked in subjects, in whatever item of a list they are', ({ assert }) => {
    const isSensitive = sensitivePaths(['users.pin'])
    for (const path of ['users.0.pin', 'users.12.pin', 'users.pin', 'users.0.pin.last']) {
      assert.isTrue(isSensitive(path.split('.')), path)
    }
    for (const path of ['users', 'users.0', 'users.0.name', '0.users.pin', 'pin']) {
      assert.isFalse(isSensitive(path.split('.')), path)
    }
    const isOfSecond = sensitivePaths(['users.1.pin'])
    assert.isTrue(isOfSecond(['users', '1', 'pin']))
    assert.isFalse(isOfSecond(['users', '2', 'pin']))
  })

  test('are masked wherever the data repeats their values', ({ assert }) => {
    const data = { code: 123456, again: '123456', list: [{ copy: '123456' }], pin: '42', age: 42 }
    assert.deepEqual(maskVariables(data, ['code', 'pin']), {
      code: '***',
      again: '***',
      list: [{ copy: '***' }],
      pin: '***',
      age: 42,
    })
  })
})
