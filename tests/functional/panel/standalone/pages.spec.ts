import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { test } from '@japa/runner'
import { serviceUrl } from '#tests/helpers/send'
import { RawConnection, lastResponse } from '#tests/world/raw_connection'

/** Sends the path as it is, and decompresses nothing. */
async function get(path: string, headers = '') {
  const connection = await RawConnection.to(serviceUrl())
  const text = `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${headers}\r\n`
  return lastResponse(await connection.write(text).closed())
}

async function anAsset() {
  const { body } = await get('/panel')
  return /\/panel\/assets\/[\w-]+\.js/.exec(body)![0]
}

test.group('Pages of the panel', () => {
  for (const path of ['/panel', '/panel/', '/panel/apps/crm/roles?search=a', '/panel/no.js']) {
    test(`${path} is the page of the panel`, async ({ assert }) => {
      const response = await get(path)
      assert.equal(response.status, 200)
      assert.equal(response.headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(response.body, (await get('/panel')).body)
    })
  }

  test('are protected, and not stored', async ({ assert }) => {
    for (const path of ['/panel', '/panel/theme.js']) {
      const { headers } = await get(path)
      const policy = headers['content-security-policy']
      for (const rule of [
        "default-src 'none'",
        "script-src 'self'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
      ]) {
        assert.include(policy.split('; '), rule)
      }
      assert.notInclude(policy, 'unsafe')
      assert.equal(headers['x-frame-options'], 'DENY')
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
      assert.equal(headers['referrer-policy'], 'no-referrer')
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.equal(headers['cache-control'], 'no-store')
    }
  })

  test('show mails in a sandbox that only the panel can frame', async ({ assert }) => {
    const { status, headers } = await get('/panel/preview.html')
    assert.equal(status, 200)
    const policy = headers['content-security-policy'].split('; ')
    for (const rule of ["script-src 'self'", "frame-ancestors 'self'", 'sandbox allow-scripts']) {
      assert.include(policy, rule)
    }
    assert.equal(headers['x-frame-options'], 'SAMEORIGIN')
  })

  test('have files that browsers keep', async ({ assert }) => {
    const { status, headers } = await get(await anAsset())
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'text/javascript; charset=utf-8')
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
  })

  test('are compressed as the browser wants', async ({ assert }) => {
    const path = await anAsset()
    const plain = await get(path)
    assert.notProperty(plain.headers, 'content-encoding')
    for (const [coding, decompress] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const { headers, body } = await get(path, `accept-encoding: ${coding}\r\n`)
      assert.equal(headers['content-encoding'], coding)
      assert.include(headers.vary, 'Accept-Encoding')
      assert.equal(decompress(Buffer.from(body, 'latin1')).toString('latin1'), plain.body)
    }
    // Comparing very many codings would take milliseconds.
    const long = await get(path, `accept-encoding: br${',x'.repeat(500)}\r\n`)
    assert.notProperty(long.headers, 'content-encoding')
  })

  test('are not sent again to a browser that has them', async ({ assert }) => {
    for (const path of ['/panel', await anAsset()]) {
      const { headers } = await get(path)
      const again = await get(path, `if-none-match: ${headers.etag}\r\n`)
      assert.equal(again.status, 304)
      assert.equal(again.body, '')
    }
  })

  for (const path of [
    '/panel/assets/none.js',
    '/panel/assets/',
    '/panel/assets/../../../package.json',
    '/panel/assets/%2e%2e%2f%2e%2e%2f%2e%2e%2fpackage.json',
    '/panel/assets/..%5C..%5Cpackage.json',
  ]) {
    test(`${path} is not a file`, async ({ assert }) => {
      const { status, headers } = await get(path)
      assert.equal(status, 404)
      assert.match(headers['content-type'], /^application\/problem\+json/)
    })
  }
})
