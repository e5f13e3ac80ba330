import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { parse } from 'yaml'
import type PushSubscription from '#app/notifications/models/push_subscription'
import User from '#app/profiles/models/user'
import { type CommandLineSettings, aMachine, operator } from '#tests/helpers/command_line'
import { subscribe } from '#tests/helpers/deliveries'
import {
  aSuperAdmin,
  anAdministratorOf,
  anApplication,
  uniqueCode,
  uniqueEmail,
} from '#tests/helpers/people'
import { applicationEvent } from '#tests/helpers/profiles'
import { Browser } from '#tests/world/push_service'

const machine = aMachine()

/** Makes the program take its input for a terminal. */
const TERMINAL = { NODE_OPTIONS: '--import=data:text/javascript,process.stdin.isTTY=true' }

const aDevice = (email: string) => subscribe(email, new Browser('https://push.example'))

async function aPerson(email = uniqueEmail()) {
  await User.create({ email })
  return email
}

async function asOperator(email?: string) {
  const env = await operator(email)
  const run = (args: string[], settings: CommandLineSettings = {}) =>
    machine.run(['users', ...args], { ...settings, env: { ...env, ...settings.env } })
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await run([...args, '-o', 'json'])
    if (code !== 0) throw new Error(stderr)
    return JSON.parse(stdout)
  }
  return { run, json }
}

test.group('concierge users', () => {
  test('lists users in the requested order', async ({ assert }) => {
    const { run, json } = await asOperator()
    const mark = uniqueCode('sorted')
    await aPerson(`a-${mark}@tests.example`)
    await aPerson(`c-${mark}@tests.example`)
    await aPerson(`b-${mark}@tests.example`)
    const initials = async (sort: string) => {
      const found: { email: string }[] = await json('list', '--search', mark, '--sort', sort)
      return found.map(({ email }) => email[0]).join('')
    }
    assert.equal(await initials('email'), 'abc')
    assert.equal(await initials('-createdAt'), 'bca')
    const unknown = await run(['list', '--sort', 'name'])
    assert.equal(unknown.code, 64)
    assert.include(unknown.stderr, 'Allowed choices are email, -createdAt, -lastLoginAt')
  }).timeout(120_000)

  test('lists and removes push devices', async ({ assert }) => {
    const { run, json } = await asOperator()
    const email = uniqueEmail()
    const [kept, removed] = [await aDevice(email), await aDevice(email)]
    const ids = async () =>
      (await json('devices', email)).map(({ id }: PushSubscription) => id).toReversed()
    assert.deepEqual(await ids(), [kept.id, removed.id])
    const table = await run(['devices', email])
    assert.include(table.stdout, 'push.example')
    const remove = ['remove-device', email, String(removed.id)]
    const asked = await run(remove)
    assert.equal(asked.code, 64)
    assert.include(asked.stderr, `Remove push device ${removed.id} of ${email}?`)
    assert.equal((await run([...remove, '--yes'])).code, 0)
    assert.deepEqual(await ids(), [kept.id])
    const invalid = await run(['remove-device', email, 'first', '--yes'])
    assert.equal(invalid.code, 64)
    assert.include(invalid.stderr, 'It must be a positive integer.')
  }).timeout(120_000)

  test('deactivates and reactivates a user', async ({ assert, cleanup }) => {
    const admin = await aSuperAdmin(cleanup)
    const { run, json } = await asOperator(admin)
    const email = await aPerson()
    const asked = await run(['deactivate', email])
    assert.equal(asked.code, 64, 'it asks first')
    assert.isTrue((await User.findByOrFail({ email })).active)

    const deactivated = await run(['deactivate', email, '--yes'])
    assert.equal(deactivated.code, 0, deactivated.stderr)
    assert.match(deactivated.stdout, /^active +no$/m)
    assert.match(deactivated.stdout, /^identityProvider +not_/m)
    assert.isFalse((await User.findByOrFail({ email })).active)
    assert.include(await json('activate', email), { email, active: true })
    assert.isTrue((await User.findByOrFail({ email })).active)

    const own = await run(['deactivate', admin, '--yes'])
    assert.equal(own.code, 1)
    assert.match(own.stderr, /^error: OWN_SUPER_ADMIN: /)
  }).timeout(120_000)

  test('erases a user only after the address was typed', async ({ assert }) => {
    const { run } = await asOperator()
    const email = await aPerson()
    const erase = (input: string, env: CommandLineSettings['env'] = TERMINAL) =>
      run(['erase', email], { env, input })
    for (const typed of ['y\n', 'yes\n', `${email}x\n`, '\n', '']) {
      const refused = await erase(typed)
      assert.equal(refused.code, 64, typed)
      assert.include(refused.stderr, 'nothing was changed')
    }
    const blind = await erase(`${email}\n`, {})
    assert.equal(blind.code, 64)
    assert.include(blind.stderr, 'use --yes')
    assert.isNotNull(await User.findBy({ email }), 'still there')

    const erased = await erase(`${email}\n`)
    assert.equal(erased.code, 0, erased.stderr)
    assert.isNull(await User.findBy({ email }))
    const again = await run(['erase', email, '--yes'])
    assert.equal(again.code, 1)
    assert.match(again.stderr, /^error: USER_NOT_FOUND: /)
  }).timeout(120_000)

  test('exports a user into a private file, and never over another one', async ({ assert }) => {
    const { run, json } = await asOperator()
    const email = await aPerson()
    assert.containSubset(await json('export', email), { email, users: [{ email }] })
    const plain = await run(['export', email])
    assert.containSubset(JSON.parse(plain.stdout), { email }, 'JSON by default')

    const out = join(machine.folder, `${uniqueCode('export')}.json`)
    const saved = await run(['export', email, '--out', out])
    assert.deepEqual([saved.code, saved.stdout], [0, ''], saved.stderr)
    assert.containSubset(JSON.parse(readFileSync(out, 'utf8')), { email, users: [{ email }] })
    assert.equal(statSync(out).mode & 0o777, 0o600)

    writeFileSync(out, 'mine', { mode: 0o644 })
    const refused = await run(['export', email, '--out', out])
    assert.equal(refused.code, 64)
    assert.include(refused.stderr, `${out} exists`)
    assert.include(refused.stderr, '--force')
    assert.equal(readFileSync(out, 'utf8'), 'mine')
    assert.equal((await run(['export', uniqueEmail(), '--out', out, '--force'])).code, 1)
    assert.equal(readFileSync(out, 'utf8'), 'mine', 'a refusal leaves the file alone')

    const forced = await run(['export', email, '--out', out, '--force', '-o', 'yaml'])
    assert.equal(forced.code, 0, forced.stderr)
    assert.containSubset(parse(readFileSync(out, 'utf8')), { email })
    assert.equal(statSync(out).mode & 0o777, 0o600)
    const nowhere = await run(['export', email, '--out', join(machine.folder, 'none/x.json')])
    assert.equal(nowhere.code, 64)
    assert.include(nowhere.stderr, 'ENOENT')
    assert.lengthOf(
      readdirSync(machine.folder).filter((name) => name.startsWith('export')),
      1,
      'no drafts are left'
    )
  }).timeout(120_000)

  test('an administrator reads and changes the preferences of a user', async ({ assert }) => {
    const application = await anApplication()
    const { run, json } = await asOperator(await anAdministratorOf(application))
    const email = await aPerson()
    const own = ['preferences', email, application.code]
    assert.include(await json(...own), { showHelp: true, notificationsEnabled: true })
    assert.include(await json(...own, '--notifications', 'false'), {
      showHelp: true,
      notificationsEnabled: false,
    })
    const both = ['--notifications', 'true', '--show-help', 'false']
    assert.include(await json(...own, ...both), { showHelp: false, notificationsEnabled: true })
    assert.include(await json(...own), { showHelp: false, notificationsEnabled: true })
    assert.equal((await run([...own, '--show-help', 'maybe'])).code, 64)
    const { code: other } = await anApplication()
    const refused = await run(['preferences', email, other, '--show-help', 'true'])
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /^error: FORBIDDEN: /)
  }).timeout(120_000)

  test('binds a record to an account and releases it', async ({ assert }) => {
    const { run, json } = await asOperator()
    const email = await aPerson()
    const bind = ['bind', email, uniqueCode('account')]
    assert.equal((await run(bind)).code, 64, 'it asks first')
    assert.include(await json(...bind, '--yes'), { email, idpUserId: bind[2] })
    assert.equal((await run(['release', email])).code, 64, 'it asks first')
    assert.include(await json('release', email, '--yes'), { email, idpUserId: null })
  }).timeout(120_000)

  test('lists logins, latest first', async ({ assert, client }) => {
    const { json } = await asOperator()
    const { code: appCode } = await anApplication()
    const email = uniqueEmail()
    await applicationEvent(client, { email, appCode, event: 'login' })
    await applicationEvent(client, { email, appCode, event: 'logout' })
    const events = (found: { event: string }[]) => found.map(({ event }) => event)
    assert.deepEqual(events(await json('logins', email)), ['logout', 'login'])
    assert.deepEqual(events(await json('logins', email, '--limit', '1')), ['logout'])
  }).timeout(120_000)
})
