import { test } from '@japa/runner'
import type Application from '#app/applications/models/application'
import { eventually } from '#tests/helpers/eventually'
import { inPath } from '#tests/helpers/management'
import { inFlight } from '#tests/helpers/metrics'
import { aLargeApplication } from '#tests/helpers/access_review'
import { anAdministratorOf } from '#tests/helpers/people'
import { serviceUrl } from '#tests/helpers/send'
import { issuer } from '#tests/world/prepare'

test.group('Exports of reviews of access', (group) => {
  let application: Application
  let [ada, alan, grace]: string[] = []

  group.each.setup(async () => {
    application = await aLargeApplication()
    const someone = () => anAdministratorOf(application)
    ;[ada, alan, grace] = [await someone(), await someone(), await someone()]
  })

  test('are not delayed by clients that do not read theirs', async ({ assert }) => {
    const slow = [await exportFor(ada!), await exportFor(alan!)]
    assert.deepEqual([slow[0]!.status, slow[1]!.status], [200, 200])
    for (let time = 0; time < 3; time++) {
      const short = await exportFor(grace!, {}, `?email=${inPath(grace!)}`)
      assert.equal(short.status, 200)
      assert.include(await short.text(), grace!)
    }
    for (const { body } of slow) await body!.cancel()
  })

  test('are one per caller, until they are read or the client leaves', async ({ assert }) => {
    const first = await exportFor(ada!)
    const again = await exportFor(ada!)
    assert.deepEqual([first.status, again.status], [200, 503])
    assert.equal(again.headers.get('retry-after'), '5')
    assert.containSubset(await again.json(), { code: 'OVERLOADED' })
    const head = await exportFor(ada!, { method: 'HEAD' })
    assert.equal(head.status, 200)
    assert.match(head.headers.get('content-type')!, /^text\/csv/)
    await first.body!.cancel()
    const next = await exportFor(ada!, {}, `?email=${inPath(ada!)}`)
    assert.equal(next.status, 200)
    assert.include(await next.text(), ada!)
  })

  test('do not begin if the client left while it waited', async ({ assert }) => {
    const first = await exportFor(ada!)
    const leaving = new AbortController()
    const waiting = exportFor(ada!, { signal: leaving.signal })
    const bothArrived = async () => (await inFlight(serviceUrl(), 'other')) === 2
    await eventually('the other one waits', bothArrived, 30_000)
    leaving.abort()
    await assert.rejects(() => waiting)
    await first.body!.cancel()
    const next = await exportFor(ada!)
    assert.equal(next.status, 200)
    await next.body!.cancel()
  })

  async function exportFor(email: string, init: RequestInit = {}, query = '') {
    const url = `${serviceUrl()}/api/applications/${application.code}/access-review${query}`
    const authorization = `Bearer ${await issuer.token(email)}`
    return fetch(url, { ...init, headers: { authorization, accept: 'text/csv' } })
  }
})
