import { test } from '@japa/runner'
import Database from 'better-sqlite3'
import { keepPlans } from '#core/database/keep_plans'

function aConnection(cleanup: (callback: () => void) => void) {
  const connection = new Database(':memory:')
  connection.exec(`
    create table users (id integer primary key, email text unique, "a?b" text);
    create table roles (user_id integer, code text);
    create index roles_of_user on roles (user_id, code);
    insert into users values (1, 'ada@acme.example', 'x'), (2, '7', 'it''s ?');
    insert into roles values (1, 'editor'), (2, 'viewer')`)
  keepPlans(connection)
  cleanup(() => void connection.close())
  return connection
}

const ROLES = 'select code from users join roles on user_id = users.id where email = $1'

test.group('Plans of SQLite', () => {
  test('do not depend on the values of parameters', ({ assert, cleanup }) => {
    const connection = aConnection(cleanup)
    assert.equal(connection.prepare(ROLES).source, ROLES.replace('$1', '+$1'))
    const limited = 'select email from users where id in (?, ?) limit ?'
    assert.equal(
      connection.prepare(limited).source,
      'select email from users where id in (+?, +?) limit +?'
    )
  })

  test('leave quoted texts and names alone', ({ assert, cleanup }) => {
    const connection = aConnection(cleanup)
    const statement = connection.prepare(
      `select "a?b" as "$1" from users where "a?b" = 'it''s ?' and email = ?`
    )
    assert.deepEqual(statement.all('7'), [{ $1: "it's ?" }])
  })

  test('still use indexes and the types of columns', ({ assert, cleanup }) => {
    const connection = aConnection(cleanup)
    const plan = connection.prepare(`explain query plan ${ROLES}`).all({ 1: 'x' })
    const steps = (plan as { detail: string }[]).map(({ detail }) => detail)
    assert.lengthOf(steps, 2)
    for (const step of steps) assert.match(step, /^SEARCH .* USING .*INDEX/)
    assert.deepEqual(connection.prepare(ROLES).all({ 1: '7' }), [{ code: 'viewer' }])
    const byId = connection.prepare('select email from users where id = ?')
    assert.deepEqual(byId.all('1'), [{ email: 'ada@acme.example' }])
  })

  test('store every kind of value', ({ assert, cleanup }) => {
    const connection = aConnection(cleanup)
    connection.exec('create table kinds (value)')
    const insert = connection.prepare('insert into kinds values (?)')
    const values = [null, 1, 1.5, 2n ** 60n, '007', Buffer.from([0, 255])]
    for (const value of values) insert.run(value)
    const stored = connection.prepare('select value from kinds').safeIntegers(true).pluck().all()
    assert.deepEqual(stored, values)
  })
})
