import { test } from '@japa/runner'
import { preferredCoding } from '#core/http/content_coding'

test.group('The content coding that a client prefers', () => {
  const CASES: [accepted: string | undefined, coding: string][] = [
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['GZIP', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['br;q=0.5, gzip;q=1.0', 'gzip'],
    ['br; q=0.5 , gzip; q=0.4', 'br'],
    ['identity', 'identity'],
    ['identity;q=1, gzip;q=0.5', 'identity'],
    ['gzip;q=0.1', 'gzip'],
    ['br;q=0, gzip;q=0', 'identity'],
    ['*;q=0', 'identity'],
    ['identity;q=0', 'identity'],
    ['deflate', 'identity'],
    ['br;q=nonsense', 'identity'],
    ['brotli, gzipped', 'identity'],
    [',;,;q=1', 'identity'],
  ]

  test('of "{0}" is {1}')
    .with(CASES)
    .run(({ assert }, [accepted, coding]) => {
      assert.equal(preferredCoding(accepted), coding)
    })
})
