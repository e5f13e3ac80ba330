import { HttpContextFactory } from '@adonisjs/core/factories/http'
import { test } from '@japa/runner'
import { StaticContent } from '#core/http/static_content'

test.group('Static content', () => {
  test('that could not be read is read again', async ({ assert }) => {
    let reads = 0
    const content = new StaticContent(() => {
      return ++reads === 1 ? Promise.reject(new Error('no file')) : Promise.resolve('text')
    })
    const send = async () => {
      const ctx = new HttpContextFactory().create()
      await content.send(ctx, 'text/plain', 'no-cache')
      return String(ctx.response.getBody())
    }
    await assert.rejects(send, 'no file')
    assert.equal(await send(), 'text')
    assert.equal(await send(), 'text')
    assert.equal(reads, 2)
  })
})
