import { setImmediate as nextTurn } from 'node:timers/promises'
import { test } from '@japa/runner'
import { BackgroundWorker, wakeBackgroundWork } from '#core/background/background_worker'
import { eventually } from '#tests/helpers/eventually'

/** A source that processes one row at a time. */
function sourceOf(rows: string[], work: (row: string) => Promise<void> = async () => {}) {
  return {
    name: 'rows',
    looks: 0,
    async work() {
      this.looks++
      const row = rows.shift()
      if (row !== undefined) await work(row)
      return rows.length > 0
    },
  }
}

test.group('Background worker', () => {
  test('processes everything that is due without pausing between batches', async ({
    assert,
    cleanup,
  }) => {
    const done: string[] = []
    const source = sourceOf(['a', 'b', 'c'], async (row) => void done.push(row))
    const worker = new BackgroundWorker([source])
    cleanup(() => worker.stop())
    worker.start()
    await eventually('all is done before a rest is over', () => done.length === 3, 900)
    assert.deepEqual(done, ['a', 'b', 'c'])
  })

  test('lets others run between batches, even if no batch waits for anything', async ({
    assert,
    cleanup,
  }) => {
    const rows = Array.from({ length: 1_000 }, (_, number) => `${number}`)
    const worker = new BackgroundWorker([sourceOf(rows)])
    cleanup(() => worker.stop())
    worker.start()
    await nextTurn()
    assert.isNotEmpty(rows)
    await eventually('all is done', () => rows.length === 0)
  })

  test('pauses if nothing is due, and continues when woken', async ({ assert, cleanup }) => {
    const rows: string[] = []
    const source = sourceOf(rows)
    const worker = new BackgroundWorker([source])
    cleanup(() => worker.stop())
    worker.start()
    await eventually('it looked', () => source.looks === 1)
    rows.push('late')
    wakeBackgroundWork()
    await eventually('it looked again before its rest was over', () => source.looks === 2, 900)
    assert.lengthOf(rows, 0)
  })

  test('does not miss work that is stored while it is busy', async ({ cleanup }) => {
    const rows = ['first']
    const done: string[] = []
    const source = sourceOf(rows, async (row) => {
      done.push(row)
      if (row !== 'first') return
      queueMicrotask(() => {
        rows.push('second')
        wakeBackgroundWork()
      })
    })
    const worker = new BackgroundWorker([source])
    cleanup(() => worker.stop())
    worker.start()
    await eventually('the second is done before a rest is over', () => done.length === 2, 900)
  })

  test('continues after a source failed, and does not let sources block each other', async ({
    assert,
    cleanup,
  }) => {
    const done: string[] = []
    const broken = {
      name: 'broken',
      looks: 0,
      async work() {
        this.looks++
        throw new Error('The database is away')
      },
    }
    const worker = new BackgroundWorker([
      broken,
      sourceOf(['a'], async (row) => void done.push(row)),
    ])
    cleanup(() => worker.stop())
    worker.start()
    await eventually('the other source is worked on', () => done.length === 1)
    wakeBackgroundWork()
    await eventually('the broken one is looked at again', () => broken.looks >= 2)
    assert.deepEqual(done, ['a'])
  })

  test('finishes current work before it stops, and starts nothing new', async ({ assert }) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const source = sourceOf(['a', 'b'], () => {
      begun.resolve()
      return promise
    })
    const worker = new BackgroundWorker([source])
    worker.start()
    await begun.promise
    let stopped = false
    const stopping = worker.stop().then(() => (stopped = true))
    await Promise.resolve()
    assert.isFalse(stopped)
    resolve()
    await stopping
    assert.equal(source.looks, 1)
  })
})
