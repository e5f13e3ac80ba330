import { test } from '@japa/runner'
import { describeError } from '#core/exceptions/describe_error'
import { toProblem } from '#core/exceptions/to_problem'

const SECRET = 'ada@acme.example'

const failing = (code: string | undefined, message = `insert into users values ('${SECRET}')`) =>
  Object.assign(new Error(message), code === undefined ? {} : { code })

test.group('toProblem', () => {
  test('an unavailable database is 503 with Retry-After: {$self}')
    .with([
      'ECONNREFUSED',
      'ECONNRESET',
      'EPIPE',
      'ETIMEDOUT',
      'ENOTFOUND',
      'EHOSTUNREACH',
      // Connection failure, too many connections, shutdown, crash, startup, cancelled
      '08006',
      '08001',
      '53300',
      '57P01',
      '57P02',
      '57P03',
      '57014',
      // Disk full, I/O error, wrong password, unknown database, read-only, deadlock, serialization
      '53100',
      '58030',
      '28P01',
      '3D000',
      '25006',
      '40P01',
      '40001',
      'SQLITE_BUSY',
      'SQLITE_BUSY_SNAPSHOT',
      'SQLITE_BUSY_RECOVERY',
      'SQLITE_LOCKED',
      'SQLITE_CANTOPEN',
      'SQLITE_IOERR_WRITE',
      'SQLITE_READONLY_DBMOVED',
      'SQLITE_FULL',
    ])
    .run(({ assert }, code) => {
      const problem = toProblem(failing(code))
      assert.equal(problem.kind.code, 'DATABASE_UNAVAILABLE')
      assert.equal(problem.kind.status, 503)
      assert.equal(problem.headers['retry-after'], '1')
    })

  test('a driver error without a code is recognised by its message: {$self}')
    .with([
      'Connection terminated unexpectedly',
      'Connection terminated due to connection timeout',
      'Knex: Timeout acquiring a connection. The pool is probably full.',
      'Query read timeout',
      'timeout expired',
      'Transaction query already complete, run with DEBUG=knex:tx for more info',
    ])
    .run(({ assert }, message) => {
      assert.equal(toProblem(failing(undefined, message)).kind.code, 'DATABASE_UNAVAILABLE')
    })

  test('an AggregateError of refused connections is 503', ({ assert }) => {
    const error = new AggregateError([failing('ECONNREFUSED'), failing('ECONNREFUSED')])
    assert.equal(toProblem(error).kind.code, 'DATABASE_UNAVAILABLE')
  })

  test('a foreign key violation is a conflict', ({ assert }) => {
    for (const code of ['23503', 'SQLITE_CONSTRAINT_FOREIGNKEY']) {
      const { kind } = toProblem(failing(code))
      assert.deepEqual([kind.status, kind.code], [409, 'CONFLICT'])
    }
  })

  test('any other error is 500 and reveals nothing: {$self}')
    .with(['42P01', '22021', '23502', 'SQLITE_ERROR', 'SQLITE_CORRUPT', 'ERR_ASSERTION', undefined])
    .run(({ assert }, code) => {
      const problem = toProblem(failing(code))
      assert.equal(problem.kind.code, 'INTERNAL_ERROR')
      assert.notInclude(problem.message, SECRET)
      assert.deepEqual(problem.details, {})
    })

  test('thrown values that are not errors are 500', ({ assert }) => {
    for (const thrown of ['text', 5, null, undefined, { status: 200 }, Symbol('s')]) {
      assert.equal(toProblem(thrown).kind.code, 'INTERNAL_ERROR')
    }
  })

  test('the log contains the type and stack of a database error, but not its values', ({
    assert,
  }) => {
    for (const code of ['23502', 'SQLITE_CONSTRAINT_NOTNULL']) {
      const error = failing(code)
      const logged = JSON.stringify(describeError(new Error('outer', { cause: error })))
      assert.notInclude(logged, SECRET)
      assert.include(logged, code)
      assert.include(logged, 'to_problem.spec')
    }
  })
})
