import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import AuditChain from '#app/audit/models/audit_chain'
import AuditEntry from '#app/audit/models/audit_entry'
import { ace, startAce } from '#tests/helpers/ace'
import { aChain, emptyChain } from '#tests/helpers/audit_chain'
import { signedIn, uniqueEmail } from '#tests/helpers/people'
import { anUnmigratedDatabase } from '#tests/helpers/unmigrated_database'
import { uniqueId } from '#tests/helpers/provider_events'

const NEW_KEY = 'the-key-that-came-after-the-first'

test.group('audit:verify', (group) => {
  group.each.setup(emptyChain)

  test('says that the chain is intact, also up to a head that was kept', async ({ assert }) => {
    await aChain(3)
    const { sequence, hash } = (await AuditChain.current()).head
    const verified = await ace('audit:verify', `--from-head=${sequence}:${hash}`)
    assert.equal(verified.code, 0)
    assert.include(verified.stdout, 'Entries 1 to 3 are intact')
    const { stdout } = await ace('audit:verify', '--json')
    assert.deepEqual(JSON.parse(stdout), { intact: true, first: 1, last: 3, fault: null })
  })

  test('exits with 2 at the first entry that is wrong', async ({ assert }) => {
    const [, second] = await aChain(3)
    await db.from('audit_entries').where('id', second.id).update({ target_label: 'other' })
    const { code, stdout } = await ace('audit:verify', '--json')
    assert.equal(code, 2)
    assert.containSubset(JSON.parse(stdout), {
      intact: false,
      fault: { kind: 'altered', sequence: 2 },
    })
  })

  test('accepts a checkpoint that a previous APP_KEY signed', async ({ assert }) => {
    const [first] = await aChain(3)
    const chain = await AuditChain.current()
    chain.checkpoint = { sequence: 1, hash: first.hash! }
    await chain.save()
    await first.delete()
    const verify = (settings: Record<string, string>) =>
      startAce(['audit:verify', '--json'], { APP_KEY: NEW_KEY, ...settings }).finished
    const rotated = await verify({ APP_KEY_PREVIOUS: process.env.APP_KEY! })
    const intact = { intact: true, first: 2, last: 3, fault: null }
    assert.deepEqual(JSON.parse(rotated.stdout), intact)
    const forgotten = await verify({})
    assert.containSubset(JSON.parse(forgotten.stdout), { fault: { kind: 'checkpoint' } })
  })

  test('says in one line that the database has no tables', async ({ assert, cleanup }) => {
    const database = await anUnmigratedDatabase()
    cleanup(database.drop)
    const { code, stdout, stderr } = await startAce(['audit:verify'], database.settings).finished
    assert.equal(code, 1)
    const lines = `${stdout}${stderr}`.trim().split('\n')
    assert.lengthOf(lines, 1)
    assert.match(lines[0], /check that it is migrated/)
    const json = await startAce(['audit:verify', '--json'], database.settings).finished
    assert.match(JSON.parse(json.stdout).error.code, /^(?:42P01|SQLITE_ERROR)$/)
  })

  test('refuses a head of another form', async ({ assert }) => {
    const { code, stdout } = await ace('audit:verify', '--from-head=3', '--json')
    assert.equal(code, 1)
    assert.containSubset(JSON.parse(stdout), { error: { code: 'USAGE' } })
  })
})

test.group('Changes by commands', () => {
  test('name the command', async ({ assert, client }) => {
    const [email, account] = [uniqueEmail(), uniqueId()]
    await signedIn(client, email).get('/api/profile/me')
    await ace('identity:bind', email, `--account=${account}`)
    const entry = await AuditEntry.query().where({ email }).orderBy('id', 'desc').firstOrFail()
    assert.containSubset(entry.$attributes, {
      actorKind: 'command',
      actorName: 'identity:bind',
      action: 'user.identity_changed',
    })
  })
})
