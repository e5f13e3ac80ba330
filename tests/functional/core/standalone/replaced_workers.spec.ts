import { mkdirSync, mkdtempSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { eventually } from '#tests/helpers/eventually'
import { logLines } from '#tests/helpers/log_lines'
import { isLive, respondingWorkers } from '#tests/helpers/responding_workers'
import { copyEmptyDatabase } from '#tests/world/empty_database'
import { childrenOf } from '#tests/world/process_tree'
import { startProductionService } from '#tests/world/production_service'
import type { RunningService } from '#tests/world/service'

/** A process that starts on a busy machine takes long. */
const WITHIN_MS = 60_000
/** Less than a parent waits for workers that do not stop. */
const QUICKLY_MS = 5_000

test.group('A replacement of a worker', (group) => {
  let folder: string
  let database: string
  let service: RunningService

  group.each.timeout(180_000)
  group.each.setup(() => {
    folder = mkdtempSync(join(tmpdir(), 'concierge-replacements-'))
    database = join(folder, 'service.sqlite3')
    copyEmptyDatabase(database)
    return async () => {
      await service.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })

  async function start(count: number) {
    const settings = { SQLITE_PATH: database, WEB_CONCURRENCY: String(count) }
    service = await startProductionService(settings, 'bin/main.ts')
    return respondingWorkers(service, count)
  }

  const workers = () => childrenOf(service.process.pid!)
  const kill = (pid: number) => process.kill(pid, 'SIGKILL')
  const failures = () => logLines(service).filter(({ retryInMs }) => retryInMs !== undefined)
  const newWorker = (known: number[]) =>
    eventually('one is started', () => workers().find((pid) => !known.includes(pid)), WITHIN_MS)

  function takeDatabaseAway() {
    renameSync(database, `${database}.away`)
    mkdirSync(database)
  }

  function giveDatabaseBack() {
    rmdirSync(database)
    renameSync(`${database}.away`, database)
  }

  test('that dies while it starts is started again, and the others go on', async ({ assert }) => {
    const [victim, other] = await start(2)
    kill(victim)
    const replacement = await newWorker([victim, other])
    kill(replacement)
    await eventually('it is logged', () => failures().length > 0)
    const [{ worker, signal, level, retryInMs }] = failures()
    const logged = { worker, signal, level, retryInMs }
    const expected = { worker: replacement, signal: 'SIGKILL', level: 50, retryInMs: 1_000 }
    assert.deepEqual(logged, expected)
    await newWorker([victim, other, replacement])
    assert.include(workers(), other)
    assert.isTrue(await isLive(service))
    assert.isNull(service.process.exitCode)
  })

  test('that cannot reach the database is started until it can', async ({ assert }) => {
    const [victim] = await start(1)
    takeDatabaseAway()
    kill(victim)
    await eventually('two have failed', () => failures().length >= 2, WITHIN_MS)
    giveDatabaseBack()
    const pauses = failures().map(({ retryInMs }) => retryInMs)
    assert.deepEqual(pauses.slice(0, 2), [1_000, 2_000])
    const [served] = await respondingWorkers(service, 1)
    kill(served)
    const next = await newWorker([served])
    const failed = failures().length
    kill(next)
    await eventually('it is logged', () => failures().length > failed)
    assert.equal(failures().at(-1)!.retryInMs, 1_000, 'serving starts the count again')
  })

  test('does not keep the service from stopping while it waits to be started', async ({
    assert,
  }) => {
    const [victim] = await start(1)
    takeDatabaseAway()
    kill(victim)
    await eventually('it has failed', () => failures().length > 0, WITHIN_MS)
    const started = performance.now()
    assert.equal(await service.stop(), 0)
    assert.isBelow(performance.now() - started, QUICKLY_MS)
  })

  test('does not keep the service from stopping while it hangs', async ({ assert }) => {
    const [victim] = await start(1)
    kill(victim)
    const replacement = await newWorker([victim])
    process.kill(replacement, 'SIGSTOP')
    const started = performance.now()
    assert.equal(await service.stop(), 0)
    assert.isBelow(performance.now() - started, QUICKLY_MS)
  })
})
