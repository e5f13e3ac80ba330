import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@japa/runner'
import Database from 'better-sqlite3'
import { limitLockWaits, withBriefLockWait } from '#core/database/lock_wait'

const INSERT = 'insert into entries values (1)'
const LIMIT = 'select timeout from pragma_busy_timeout'

/** Two connections to one file, of which the first limits its waits. */
function twoConnections(cleanup: (callback: () => void) => void) {
  const folder = mkdtempSync(join(tmpdir(), 'concierge-lock-wait-'))
  const file = join(folder, 'test.sqlite3')
  const [limited, other] = [new Database(file), new Database(file)]
  other.pragma('journal_mode = WAL')
  other.exec('create table entries (value)')
  limitLockWaits(limited)
  cleanup(() => {
    limited.close()
    other.close()
    rmSync(folder, { recursive: true })
  })
  return { limited, other }
}

test.group('Brief waits for a lock', () => {
  test('end soon', async ({ assert, cleanup }) => {
    const { limited, other } = twoConnections(cleanup)
    other.exec('begin immediate')
    const start = performance.now()
    const write = () => withBriefLockWait(async () => limited.prepare(INSERT).run())
    await assert.rejects(write, /database is locked/)
    assert.isBelow(performance.now() - start, 1_000)
  })

  test('do not shorten those of other work, whatever it runs', async ({ assert, cleanup }) => {
    const { limited } = twoConnections(cleanup)
    const select = await withBriefLockWait(async () => {
      const statement = limited.prepare<[], number>(LIMIT).pluck()
      assert.equal(statement.get(), 50)
      return statement
    })
    assert.equal(select.get(), 5_000)
    assert.equal(limited.pragma('busy_timeout', { simple: true }), 5_000)
  })

  test('do not shorten those of work that runs in between', async ({ assert, cleanup }) => {
    const { limited } = twoConnections(cleanup)
    await withBriefLockWait(async () => {
      const statement = limited.prepare<[], number>(LIMIT).pluck()
      assert.equal(limited.pragma('busy_timeout', { simple: true }), 5_000)
      assert.equal(statement.get(), 50)
      assert.equal(limited.pragma('busy_timeout', { simple: true }), 5_000)
    })
  })
})
