import { lookup } from 'node:dns/promises'
import { test } from '@japa/runner'
import { resolvePublicName } from '#core/network/resolve_public_name'
import { OutboundError } from '#core/network/outbound_error'
import { type NameRecords, NameServer } from '#tests/world/name_server'

const V6 = [0x20, 1, 0xd, 0xb8, ...Array.from({ length: 11 }, () => 0), 1]
const RECORDS: Record<string, NameRecords | 'none'> = {
  'both.test': { A: [[203, 0, 113, 1]], AAAA: [V6] },
  'old.test': {
    A: [
      [203, 0, 113, 2],
      [203, 0, 113, 3],
    ],
  },
  'many.test': {
    A: Array.from({ length: 20 }, (_, last) => [203, 0, 113, last]),
    AAAA: Array.from({ length: 20 }, () => V6),
  },
  'new.test': { AAAA: [V6] },
  'empty.test': {},
  'gone.test': 'none',
}

test.group('The addresses of a public name', (group) => {
  let server: NameServer

  group.setup(async () => {
    server = await new NameServer(RECORDS).start()
    return () => server.stop()
  })

  const addressesOf = async (name: string, family = 0) =>
    (await resolvePublicName(name, family, [server.address])).map(({ address }) => address)
  const codeOf = (name: string) =>
    addressesOf(name).catch(({ code }: NodeJS.ErrnoException) => code)
  const reasonOf = (name: string) =>
    addressesOf(name).catch((error: unknown) => OutboundError.from(error).reason)

  test('are those of both families, IPv4 first', async ({ assert }) => {
    assert.deepEqual(await addressesOf('both.test'), ['203.0.113.1', '2001:db8::1'])
    assert.deepEqual(await addressesOf('both.test', 4), ['203.0.113.1'])
    assert.deepEqual(await addressesOf('both.test', 6), ['2001:db8::1'])
  })

  test('are those of one family if the name has no others', async ({ assert }) => {
    assert.sameMembers(await addressesOf('old.test'), ['203.0.113.2', '203.0.113.3'])
    assert.deepEqual(await addressesOf('new.test'), ['2001:db8::1'])
  })

  test('are the first few if there are many', async ({ assert }) => {
    assert.lengthOf(await addressesOf('many.test', 4), 4)
    assert.lengthOf(await addressesOf('many.test'), 8)
  })

  test('cannot be found if there are none', async ({ assert }) => {
    assert.equal(await codeOf('empty.test'), 'ENODATA')
    assert.equal(await codeOf('gone.test'), 'ENOTFOUND')
  })

  test('do not keep other names waiting if their server does not answer', async ({ assert }) => {
    const silent = Array.from({ length: 50 }, (_, index) => reasonOf(`silent${index}.test`))
    const first = await Promise.race([...silent, lookup('localhost').then(() => 'localhost')])
    assert.equal(first, 'localhost')
    assert.deepEqual(new Set(await Promise.all(silent)), new Set(['timeout']))
    assert.isAbove(server.questions, 99)
  })
})
