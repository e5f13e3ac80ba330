import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { projectPath } from '#core/process/root'
import { eventually } from '#tests/helpers/eventually'
import { logLines } from '#tests/helpers/log_lines'
import { isLive, respondingWorkers } from '#tests/helpers/responding_workers'
import { sameDatabase } from '#tests/helpers/same_database'
import { startProductionService } from '#tests/world/production_service'
import type { RunningService, ServiceSettings } from '#tests/world/service'

const BLOCKER = pathToFileURL(join(projectPath(), 'tests/world/block_on_signal.ts')).href
const SERVICE = 'bin/main.ts'

test.group('A worker process whose event loop is blocked', (group) => {
  let service: RunningService

  group.each.timeout(180_000)
  group.each.setup(() => async () => void (await service.stop()))

  async function start(settings: ServiceSettings = {}) {
    const blocker = { NODE_OPTIONS: `${process.env.NODE_OPTIONS} --import=${BLOCKER}` }
    service = await startProductionService({ ...sameDatabase(), ...blocker, ...settings }, SERVICE)
  }

  const live = () => isLive(service)
  const workers = (count: number) => respondingWorkers(service, count)

  const said = (worker: number) =>
    logLines(service).filter((line) => line.worker === worker && line.level === 50)

  test('is killed, replaced and logged, even if it is the only one', async ({ assert }) => {
    await start()
    const [victim] = await workers(1)
    assert.notEqual(victim, service.process.pid)
    process.kill(victim, 'SIGUSR2')
    await eventually('nobody responds', async () => !(await live()))
    await eventually('it is noticed', () => said(victim).length > 0, 30_000)
    assert.match(String(said(victim)[0].msg), /event loop is blocked/)
    const [successor] = await workers(1)
    assert.notEqual(successor, victim)
    assert.isNull(service.process.exitCode)
  })

  test('does not affect the others, and a briefly paused worker is not killed', async ({
    assert,
  }) => {
    await start({ WEB_CONCURRENCY: '2' })
    const [victim, other] = await workers(2)
    process.kill(other, 'SIGSTOP')
    process.kill(victim, 'SIGUSR2')
    process.kill(other, 'SIGCONT')
    await eventually('it is noticed', () => said(victim).length > 0, 30_000)
    const now = await workers(2)
    assert.include(now, other)
    assert.notInclude(now, victim)
    assert.isEmpty(said(other))
  })

  test('does not keep the service from stopping within 10 seconds', async ({ assert }) => {
    await start()
    const [victim] = await workers(1)
    process.kill(victim, 'SIGUSR2')
    await eventually('nobody responds', async () => !(await live()))
    const started = performance.now()
    assert.equal(await service.stop(), 1)
    assert.isBelow(performance.now() - started, 10_000)
    assert.isFalse(isRunning(victim))
  })

  test('is distinguished from a parent that was paused itself', async ({ assert }) => {
    await start()
    const [worker] = await workers(1)
    service.process.kill('SIGSTOP')
    const since = performance.now()
    await eventually('time has passed', () => performance.now() - since > 13_000, 15_000)
    service.process.kill('SIGCONT')
    assert.deepEqual(await workers(1), [worker])
    assert.isEmpty(said(worker))
  })

  for (const count of [1, 2]) {
    test(`ends when its parent is killed, with WEB_CONCURRENCY=${count}`, async ({ assert }) => {
      await start({ WEB_CONCURRENCY: String(count) })
      const pids = await workers(count)
      service.process.kill('SIGKILL')
      await eventually('all have ended', () => !pids.some(isRunning), 15_000)
      assert.isFalse(await live())
    })
  }
})

function isRunning(pid: number) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
