import { test } from '@japa/runner'
import { databaseSettingErrors } from '#core/process/database_setting_errors'

const named = (url: string) =>
  databaseSettingErrors({ DATABASE_URL: url }).map((error) => error.split(' ')[0])

test.group('Connection strings', () => {
  test('{$self} is accepted')
    .with([
      'postgres://u:p@a/db',
      'postgres://u:p@a/db?target_session_attrs=any',
      'postgres://u:p@a:1,b:2/db',
      'postgres://u:p@a,b/db?target_session_attrs=read-write',
      'postgres://u:p@a,b/db?target_session_attrs=primary',
      '/run/postgresql db',
      'socket:/run/postgresql?db=concierge',
      'postgresql://u:p@a/db',
    ])
    .run(({ assert }, url) => assert.isEmpty(named(url)))

  test('{$self} is refused')
    .with([
      'postgres://u:p@a,b/db?target_session_attrs=any',
      'postgres://u:p@a,b/db?target_session_attrs=standby',
      'postgres://u:p@a,,b/db',
      'postgres://u:p@a:x,b/db',
      'postgres://u:p@1,2,3,4,5,6,7/db',
      'mysql://u:p@a/db',
      'https://a.example/db',
    ])
    .run(({ assert }, url) => assert.deepEqual(named(url), ['DATABASE_URL']))

  test('a replica is one server', ({ assert }) => {
    const errorsOf = (url: string) => databaseSettingErrors({ DATABASE_REPLICA_URL: url })
    assert.isEmpty(errorsOf('postgres://u:p@a/db'))
    assert.deepEqual(errorsOf('postgres://u:p@a,b/db'), [
      'DATABASE_REPLICA_URL must name one server',
    ])
    assert.deepEqual(errorsOf('mysql://u:p@a/db'), [
      'DATABASE_REPLICA_URL must begin with postgres:// or postgresql://',
    ])
  })

  test('errors contain no values, and name the setting', ({ assert }) => {
    const url = 'postgres://user:secret@a:x,b/db'
    const errors = databaseSettingErrors({ DATABASE_LISTEN_URL: url })
    assert.lengthOf(errors, 1)
    assert.match(errors[0], /^DATABASE_LISTEN_URL must/)
    assert.notInclude(errors[0], 'secret')
  })
})
