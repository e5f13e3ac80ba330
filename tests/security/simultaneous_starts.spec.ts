import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { projectPath } from '#core/process/root'
import { eventually } from '#tests/helpers/eventually'
import { ownDatabase } from '#tests/helpers/own_database'
import type { ServiceSettings } from '#tests/world/service'

const PROCESSES = 20
const TYPESCRIPT = '--import=@poppinss/ts-exec'
const PREPARATION = [TYPESCRIPT, 'tests/world/prepare_database_process.ts']
const SERVICE = [TYPESCRIPT, 'bin/server.ts']
const MIGRATION = ['ace.js', 'migration:run', '--force']
const WAITING = 'Waiting for another process to prepare the database'

const running = new Set<ChildProcess>()
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')))

type Database = Awaited<ReturnType<typeof ownDatabase>>

function run(args: string[], { settings }: { settings: ServiceSettings }) {
  const child = spawn(process.execPath, args, {
    cwd: projectPath(),
    env: { ...process.env, NODE_ENV: 'production', LOG_LEVEL: 'info', PORT: '0', ...settings },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  running.add(child)
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  const ended = once(child, 'close').then(() => void running.delete(child))
  const says = (text: string) => {
    if (!output.includes(text) && child.exitCode !== null) throw new Error(`It ended: ${output}`)
    return output.includes(text)
  }
  return { child, ended, says, output: () => output }
}

test.group('Simultaneous starts', (group) => {
  let database: Database
  group.each.setup(async () => {
    database = await ownDatabase()
    return () => database.remove()
  })

  test('twenty processes can prepare an empty database concurrently', async ({ assert }) => {
    const all = Array.from({ length: PROCESSES }, () => run(PREPARATION, database))
    await eventually('all are ready', () => all.every(({ says }) => says('ready')), 240_000)
    for (const { child } of all) child.stdin.end()
    await Promise.all(all.map(({ ended }) => ended))
    const failures = all.filter(({ child }) => child.exitCode !== 0)
    assert.deepEqual(
      failures.map(({ output }) => output().slice(0, 500)),
      []
    )
  }).timeout(400_000)

  test('a service and migration:run wait for a migrating process, and continue if it is killed', async ({
    assert,
  }) => {
    const needed = (await readdir(join(projectPath(), 'database/migrations'))).length
    const first = run(PREPARATION, { settings: { ...database.settings, STOP_AFTER: '3' } })
    await eventually('it is ready', () => first.says('ready'), 60_000)
    first.child.stdin.end()
    await eventually('it is half-way', async () => (await database.migrations()) === 3, 60_000)

    const others = [SERVICE, MIGRATION, SERVICE].map((args) => run(args, database))
    await eventually('all wait', () => others.every(({ says }) => says(WAITING)), 60_000)
    const [service, migration, stopped] = others
    stopped.child.kill('SIGTERM')
    await stopped.ended
    assert.equal(stopped.child.exitCode, 0, stopped.output())

    first.child.kill('SIGKILL')
    await eventually('the service has started', () => service.says('started HTTP server'), 60_000)
    await migration.ended
    assert.equal(migration.child.exitCode, 0, migration.output())
    assert.equal(await database.migrations(), needed)
    service.child.kill('SIGTERM')
    await service.ended
  }).timeout(240_000)
})
