import { test } from '@japa/runner'
import Database from 'better-sqlite3'
import { cacheStatements } from '#core/database/cached_statements'
import { limitLockWaits, withBriefLockWait } from '#core/database/lock_wait'

const SELECT = 'select * from entries'

function aConnection(cleanup: (callback: () => void) => void) {
  const connection = new Database(':memory:')
  connection.exec("create table entries (name); insert into entries values ('Ada')")
  limitLockWaits(connection)
  cacheStatements(connection)
  cleanup(() => void connection.close())
  return connection
}

test.group('Cached statements', () => {
  test('are prepared once', ({ assert, cleanup }) => {
    const connection = aConnection(cleanup)
    const statement = connection.prepare(SELECT)
    assert.strictEqual(connection.prepare(SELECT), statement)
    assert.notStrictEqual(connection.prepare(`${SELECT} limit 1`), statement)
  })

  test('return the columns of a table that has changed', ({ assert, cleanup }) => {
    const connection = aConnection(cleanup)
    assert.deepEqual(connection.prepare(SELECT).all(), [{ name: 'Ada' }])
    connection.exec("alter table entries add column title default 'Countess'")
    assert.deepEqual(connection.prepare(SELECT).all(), [{ name: 'Ada', title: 'Countess' }])
    connection.exec('alter table entries drop column name')
    assert.deepEqual(connection.prepare(SELECT).all(), [{ title: 'Countess' }])
    connection.exec('drop table entries; create table entries (age)')
    assert.deepEqual(connection.prepare(SELECT).all(), [])
    connection.exec('insert into entries values (36)')
    assert.deepEqual(connection.prepare(SELECT).all(), [{ age: 36 }])
  })

  test('work again after an error', ({ assert, cleanup }) => {
    const connection = aConnection(cleanup)
    connection.exec('create unique index one on entries (name)')
    const insert = 'insert into entries values (?)'
    assert.throws(() => connection.prepare(insert).run('Ada'), /UNIQUE/)
    assert.equal(connection.prepare(insert).run('Grace').changes, 1)
    connection.exec('alter table entries rename to others')
    assert.throws(() => connection.prepare(SELECT).all(), /no such table/)
    connection.exec('alter table others rename to entries')
    assert.lengthOf(connection.prepare(SELECT).all(), 2)
  })

  test('are bounded', ({ assert, cleanup }) => {
    const connection = aConnection(cleanup)
    const first = connection.prepare(SELECT)
    for (let index = 0; index < 2_000; index++) connection.prepare(`${SELECT} limit ${index}`)
    assert.notStrictEqual(connection.prepare(SELECT), first)
    const long = `${SELECT} where name in (${Array(5_000).fill("'Ada'").join()})`
    assert.notStrictEqual(connection.prepare(long), connection.prepare(long))
  })

  test('do not wait briefly for work that may wait', async ({ assert, cleanup }) => {
    const connection = aConnection(cleanup)
    const limit = 'select timeout from pragma_busy_timeout'
    const waits = () => connection.prepare(limit).all()
    assert.deepEqual(waits(), [{ timeout: 5_000 }])
    assert.deepEqual(await withBriefLockWait(async () => waits()), [{ timeout: 50 }])
    assert.deepEqual(waits(), [{ timeout: 5_000 }])
  })
})
