import { test } from '@japa/runner'
import { mayConnectTo } from '#core/network/address_policy'

/**
 * Never allowed (conventions.md#reachable-addresses): link-local, metadata, and disguised forms.
 */
const NEVER = [
  '169.254.169.254',
  '169.254.0.1',
  '169.254.170.2',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  '::169.254.169.254',
  '::a9fe:a9fe',
  '::ffff:0:169.254.169.254',
  '64:ff9b::169.254.169.254',
  '64:ff9b:1::169.254.169.254',
  '2002:a9fe:a9fe::1',
  '2001:0:a9fe:a9fe::1',
  'fe80::1',
  'fe80::a9fe:a9fe',
  'fe80::1%eth0',
  'fe80::5efe:a9fe:a9fe',
  'febf::1',
  'fd00:ec2::254',
  'fd00:0ec2:0:0:0:0:0:0254',
  'fd20:ce::254',
  'fd00:c1::a9fe:a9fe',
  'fd00:42::42',
  '100.100.100.200',
  '::ffff:100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '0.0.0.0',
  '0.1.2.3',
  '::',
  '::ffff:0.0.0.0',
  '224.0.0.1',
  'ff02::1',
  '255.255.255.255',
  '240.0.0.1',
  '::7f00:1',
  '::a00:1',
  'fec0::1',
  '5f00::1',
  '198.18.0.1',
]

/** Allowed to the operator only. */
const OPERATOR_ONLY = [
  '127.0.0.1',
  '127.255.255.254',
  '::1',
  '::ffff:127.0.0.1',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '::ffff:192.168.1.1',
  '100.64.0.1',
  'fc00::1',
  'fd12:3456::1',
]

const ANYONE = [
  '8.8.8.8',
  '::ffff:8.8.8.8',
  '172.32.0.1',
  '169.253.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:80b::200e',
]

const NO_ADDRESS = [
  '',
  'localhost',
  'example.com',
  '256.1.1.1',
  '127.1',
  '1',
  'fe80:::1',
  '10.0.0.1/8',
]

test.group('The address policy', () => {
  test('does not allow {$self} to anyone')
    .with([...NEVER, ...NO_ADDRESS])
    .run(({ assert }, address) => {
      assert.isFalse(mayConnectTo(address, 'operator'), 'operator')
      assert.isFalse(mayConnectTo(address, 'untrusted'), 'untrusted')
    })

  test('allows {$self} to the operator only')
    .with(OPERATOR_ONLY)
    .run(({ assert }, address) => {
      assert.isTrue(mayConnectTo(address, 'operator'), 'operator')
      assert.isFalse(mayConnectTo(address, 'untrusted'), 'untrusted')
    })

  test('allows {$self} to anyone')
    .with(ANYONE)
    .run(({ assert }, address) => {
      assert.isTrue(mayConnectTo(address, 'operator'), 'operator')
      assert.isTrue(mayConnectTo(address, 'untrusted'), 'untrusted')
    })
})
