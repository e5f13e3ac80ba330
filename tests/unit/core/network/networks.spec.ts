import { test } from '@japa/runner'
import { Networks } from '#core/network/networks'

test.group('Networks', () => {
  const networks = new Networks(['10.0.0.0/8', '192.0.2.7', 'fc00::/7', '::1'])

  test('include {$self}')
    .with([
      '10.0.0.0',
      '10.255.255.255',
      '192.0.2.7',
      '::ffff:10.1.2.3',
      '::ffff:a01:203',
      'fc00::1',
      'fdff::1',
      '::1',
      '0:0:0:0:0:0:0:1',
    ])
    .run(({ assert }, address) => assert.isTrue(networks.includes(address)))

  test('do not include {$self}')
    .with([
      '9.255.255.255',
      '11.0.0.0',
      '192.0.2.6',
      '::ffff:11.0.0.0',
      'fe00::1',
      '::2',
      '::',
      '',
      'unknown',
      '10.1.2',
      '010.1.2.3',
      '10.1.2.3:80',
      '10.1.2.3, 10.1.2.4',
      ' 10.1.2.3',
      'localhost',
    ])
    .run(({ assert }, address) => assert.isFalse(networks.includes(address)))

  test('without ranges include nothing', ({ assert }) => {
    assert.isFalse(new Networks([]).includes('127.0.0.1'))
  })

  test('with all ranges include everything', ({ assert }) => {
    const everything = new Networks(['0.0.0.0/0', '::/0'])
    for (const address of ['8.8.8.8', '127.0.0.1', '2001:db8::1', '::']) {
      assert.isTrue(everything.includes(address), address)
    }
  })

  test('reject "{$self}" and quote it')
    .with([
      'localhost',
      '10.0.0.0/',
      '10.0.0.0/33',
      '10.0.0.0/-1',
      '10.0.0.0/8.5',
      '10.0.0.0/1e1',
      '10.0.0.0/0x8',
      '10.0.0.0/ 8',
      '10.0.0.0/8/8',
      '10.0.0/8',
      'fc00::/129',
      'fc00::/a',
      '/8',
      '*',
      '',
    ])
    .run(({ assert }, range) => {
      assert.throws(() => new Networks([range]), `"${range}" is not an address or a CIDR range`)
    })
})
