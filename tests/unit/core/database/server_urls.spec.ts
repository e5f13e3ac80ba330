import { test } from '@japa/runner'
import { serverName, serverUrls } from '#core/database/servers/server_urls'

test.group('Connection strings with several servers', () => {
  test('{name}')
    .with([
      {
        name: 'each server has its own port, and all the rest is shared',
        url: 'postgres://u:p@a:5433,b/db?sslmode=require',
        urls: ['postgres://u:p@a:5433/db?sslmode=require', 'postgres://u:p@b/db?sslmode=require'],
      },
      {
        name: 'addresses of IPv6 are servers, too',
        url: 'postgresql://[::1]:5432,[::2]:5433/db',
        urls: ['postgresql://[::1]:5432/db', 'postgresql://[::2]:5433/db'],
      },
      {
        name: 'a password can contain commas and @',
        url: 'postgres://u:a,b@c@one,two/db',
        urls: ['postgres://u:a,b@c@one/db', 'postgres://u:a,b@c@two/db'],
      },
      { name: 'one server', url: 'postgres://u:a,b@c/d,e', urls: ['postgres://u:a,b@c/d,e'] },
      { name: 'a socket', url: '/var/run/postgresql db', urls: ['/var/run/postgresql db'] },
    ])
    .run(({ assert }, { url, urls }) => assert.deepEqual(serverUrls(url), urls))

  test('messages name servers without passwords', ({ assert }) => {
    assert.equal(serverName('postgres://user:secret@a:5433/db?sslkey=secret'), 'a:5433')
    assert.equal(serverName('/run/postgresql'), 'the server')
  })
})
