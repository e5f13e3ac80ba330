import { DateTime } from 'luxon'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { transaction } from '#core/database/transaction'
import { storeSigningKey } from '#app/identity_provider/signatures/store_signing_key'
import { HookHeartbeat } from '#app/identity_provider/email_provider/record_hook_heartbeat'
import { readSigningKeys } from '#app/identity_provider/signatures/read_signing_keys'
import NotificationProvider from '#app/identity_provider/models/notification_provider'
import ProviderSigningKey from '#app/identity_provider/models/provider_signing_key'
import { keyEncryption } from '#app/identity_provider/signatures/key_encryption'
import { eventually } from '#tests/helpers/eventually'
import { deleteStoredProvider } from '#tests/helpers/notification_provider'
import { startupFailure } from '#tests/helpers/startup_failure'

const accept = (key: string) => transaction((trx) => storeSigningKey(key, trx))

test.group('Signing keys', (group) => {
  group.each.setup(async () => {
    await deleteStoredProvider()
    return deleteStoredProvider
  })

  test('are empty before one is stored', async ({ assert }) => {
    assert.deepEqual(await readSigningKeys(), [])
  })

  test('are returned as given and stored encrypted', async ({ assert }) => {
    await accept('whsec-first')
    assert.deepEqual(await readSigningKeys(), ['whsec-first'])
    const [row] = await db.from('provider_signing_keys')
    assert.notInclude(JSON.stringify(row), 'whsec')
  })

  test('are accepted for ten more minutes after a rotation', async ({ assert }) => {
    for (const key of ['one', 'two', 'three']) await accept(key)
    assert.deepEqual(await readSigningKeys(), ['three', 'two', 'one'])

    const [current, ...former] = await ProviderSigningKey.query().orderBy('id', 'desc')
    assert.isNull(current.acceptedUntil)
    for (const { acceptedUntil } of former) {
      const minutes = acceptedUntil!.diff(DateTime.utc(), 'minutes').minutes
      assert.closeTo(minutes, 10, 1)
    }
    const oneMinuteAgo = DateTime.utc().minus({ minutes: 1 })
    await former[0].merge({ acceptedUntil: oneMinuteAgo }).save()
    assert.deepEqual(await readSigningKeys(), ['three', 'one'])
    await accept('four')
    assert.deepEqual(await readSigningKeys(), ['four', 'three', 'one'])
    assert.isNull(await ProviderSigningKey.find(former[0].id), 'the key that is over is gone')
  })

  test('of another process are accepted, too', async ({ assert }) => {
    assert.deepEqual(await readSigningKeys(), [])
    await db.table('provider_signing_keys').insert({
      signing_key: keyEncryption.encrypt('elsewhere'),
      created_at: DateTime.utc().toISO(),
    })
    await eventually('the key counts', async () => (await readSigningKeys()).includes('elsewhere'))
  })

  test('that cannot be decrypted are ignored', async ({ assert }) => {
    await accept('whsec-first')
    const row = await ProviderSigningKey.firstOrFail()
    await row.merge({ signingKey: `${row.signingKey.slice(0, -4)}AAAA` }).save()
    assert.deepEqual(await readSigningKeys(), [])
  })

  test('are not stored when the transaction fails', async ({ assert }) => {
    await accept('kept')
    const failing = transaction(async (trx) => {
      await storeSigningKey('lost', trx)
      throw new Error('after all not')
    })
    await assert.rejects(() => failing, 'after all not')
    assert.deepEqual(await readSigningKeys(), ['kept'])
  })
})

test.group('The key that encrypts signing keys', () => {
  test('prevents the start if it is malformed, without being quoted: {$self}')
    .with(['short', Buffer.alloc(31).toString('base64'), Buffer.alloc(33).toString('base64')])
    .run(async ({ assert }, IDP_ENCRYPTION_KEY) => {
      const message = await startupFailure({ IDP_ENCRYPTION_KEY })
      assert.include(message, 'IDP_ENCRYPTION_KEY must be 32 bytes in base64')
      assert.notInclude(message, IDP_ENCRYPTION_KEY)
    })
})

test.group('A call of the e-mail hook', (group) => {
  group.each.setup(async () => {
    await deleteStoredProvider()
    return deleteStoredProvider
  })

  test('is recorded at most once a minute', async ({ assert }) => {
    const note = new HookHeartbeat()
    await note.update()
    const first = await NotificationProvider.current()
    await Promise.all([note.update(), note.update()])
    const after = await NotificationProvider.current()
    assert.closeTo(first!.lastHookCallAt!.diffNow('seconds').seconds, 0, 30)
    assert.deepEqual(after!.lastHookCallAt, first!.lastHookCallAt)
  })
})
