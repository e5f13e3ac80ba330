import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { test } from '@japa/runner'
import Broadcast from '#app/broadcasts/models/broadcast'
import { ace, startAce } from '#tests/helpers/ace'
import {
  TEXT,
  aBroadcast,
  anEndedBroadcast,
  uniqueEmails,
  startBroadcastWorker,
} from '#tests/helpers/broadcasts'
import { eventually } from '#tests/helpers/eventually'
import { anApplication } from '#tests/helpers/people'

const data = `--data=${JSON.stringify(TEXT)}`

function files(cleanup: (callback: () => void) => void) {
  const folder = mkdtempSync(join(tmpdir(), 'concierge-command-'))
  cleanup(() => rmSync(folder, { recursive: true }))
  return (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
}

const broadcastsOf = ({ id }: { id: number }) =>
  Broadcast.query().where('applicationId', id).orderBy('id')

test.group('broadcast:send', () => {
  test('counts the audience in a dry run without creating the broadcast', async ({
    assert,
    cleanup,
  }) => {
    const application = await anApplication()
    const file = files(cleanup)('people.txt', `${uniqueEmails(3).join('\r\n')}\n\n`)
    const args = ['broadcast:send', application.code, '--type=generic', '--to=emails', data]
    const { stdout, code } = await ace(...args, `--emails-file=${file}`, '--dry-run', '--json')
    assert.equal(code, 0)
    assert.deepEqual(JSON.parse(stdout), { dryRun: true, total: 3 })
    assert.lengthOf(await broadcastsOf(application), 0)
  })

  test('follows the broadcast until it completes', async ({ assert, cleanup }) => {
    const application = await anApplication()
    const file = files(cleanup)
    startBroadcastWorker(cleanup)
    const { stdout, stderr, code } = await ace(
      ...['broadcast:send', application.code, '--type=generic', '--to=emails'],
      ...uniqueEmails(2).map((email) => `--email=${email}`),
      `--data-file=${file('data.json', JSON.stringify(TEXT))}`
    )
    assert.equal(code, 0, stdout + stderr)
    assert.match(stdout, /is completed: 2 sent, 0 failed, 0 skipped/)
    assert.match(stderr, /2 of 2/)
  })

  test('leaves the broadcast running at Ctrl-C and prints how to follow it', async ({ assert }) => {
    const application = await anApplication()
    const { child, finished, output } = startAce([
      'broadcast:send',
      application.code,
      '--type=generic',
      '--to=emails',
      '--email=ada@tests.example',
      data,
      '--at=2099-01-01T00:00:00Z',
    ])
    const found = async () => (await broadcastsOf(application)).at(0)
    const { id } = await eventually('it is created', found, 30_000)
    await eventually('it is followed', () => output().includes('Created'))
    // Under npm, a process receives Ctrl-C twice: from the terminal and from npm.
    child.kill('SIGINT')
    child.kill('SIGINT')
    const { stdout, code } = await finished
    assert.equal(code, 130)
    assert.include(stdout, `broadcast:status ${application.code} ${id} --follow`)
    assert.equal((await Broadcast.findOrFail(id)).status, 'scheduled')
  })

  test('reports errors in one line and creates nothing', async ({ assert, cleanup }) => {
    const application = await anApplication()
    const { code: appCode } = application
    const broken = files(cleanup)('data.json', '{')
    const wrong: [string, string[]][] = [
      ['APPLICATION_NOT_FOUND', ['none-such', '--type=generic', '--to=all', data]],
      ['UNKNOWN_NOTIFICATION_TYPE', [appCode, '--type=none-such', '--to=all', data]],
      ['VALIDATION_ERROR', [appCode, '--type=generic', '--to=everyone', data]],
      ['VALIDATION_ERROR', [appCode, '--type=generic', '--to=all', '--email=a@b.example', data]],
      ['VALIDATION_ERROR', [appCode, '--type=generic', '--to=all', `--data-file=${broken}`]],
    ]
    for (const [problem, args] of wrong) {
      const { stdout, stderr, code } = await ace('broadcast:send', ...args)
      assert.equal(code, 1)
      assert.match(stderr, new RegExp(`${problem}: `))
      assert.notMatch(stdout + stderr, /\n\s+at |node_modules/)
    }
    const asJson = await ace(
      'broadcast:send',
      appCode,
      '--type=generic',
      '--to=role:none',
      data,
      '--json'
    )
    assert.equal(asJson.code, 1)
    assert.equal(JSON.parse(asJson.stdout).error.code, 'UNKNOWN_ROLE')
    assert.lengthOf(await broadcastsOf(application), 0)
  }).timeout(90_000)
})

test.group('broadcast:status', () => {
  test('lists the latest broadcasts or shows one', async ({ assert }) => {
    const application = await anApplication()
    const ended = await anEndedBroadcast(application)
    const waiting = await aBroadcast(application, { scheduledAt: '2099-01-01T00:00:00Z' })
    const all = await ace('broadcast:status', application.code, '--json')
    assert.deepEqual(
      JSON.parse(all.stdout).broadcasts.map(({ id, status }: Broadcast) => [id, status]),
      [
        [waiting.id, 'scheduled'],
        [ended.id, 'cancelled'],
      ]
    )
    const one = await ace('broadcast:status', application.code, String(ended.id), '--follow')
    assert.equal(one.code, 2)
    assert.match(one.stdout, /is cancelled/)
    const asJson = await ace('broadcast:status', application.code, String(ended.id), '--json')
    assert.containsSubset(JSON.parse(asJson.stdout), { id: ended.id, status: 'cancelled' })
    const table = await startAce(['broadcast:status', application.code], { TERM: 'xterm' }).finished
    assert.equal(table.code, 0)
    assert.match(table.stdout, /scheduled/)
    assert.equal(table.stdout, stripVTControlCharacters(table.stdout))
  }).timeout(90_000)

  test('does not show broadcasts of another application', async ({ assert }) => {
    const [application, other] = [await anApplication(), await anApplication()]
    const { id } = await anEndedBroadcast(other)
    const { stdout, code } = await ace('broadcast:status', application.code, String(id), '--json')
    assert.equal(code, 1)
    assert.equal(JSON.parse(stdout).error.code, 'BROADCAST_NOT_FOUND')
  })

  test('keeps log lines out of its output in production', async ({ assert, cleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), 'concierge-command-'))
    cleanup(() => rmSync(folder, { recursive: true }))
    const { stdout, stderr, code } = await startAce(['broadcast:status', 'shop', '--json'], {
      NODE_ENV: 'production',
      ENV_PATH: folder,
      LOG_LEVEL: 'info',
      DB_CONNECTION: 'sqlite',
      SQLITE_PATH: join(folder, 'not-migrated.sqlite3'),
      MIGRATE_ON_START: 'false',
    }).finished
    assert.equal(code, 1)
    assert.equal(JSON.parse(stdout).error.code, 'INTERNAL_ERROR')
    assert.include(stderr, 'A command failed')
  })
})
