import router from '@adonisjs/core/services/router'
import { test } from '@japa/runner'
import { writingRoutesOfRouter } from '#tests/access/write_routes'
import { type Sender, credentials, problemOf, sendBody } from '#tests/helpers/send'
import { anApplication } from '#tests/helpers/people'

/** Larger than any id in either database, up to the largest safe integer. */
const TOO_LARGE = ['2147483648', '9007199254740991']
/** Invalid ids (conventions.md#identifiers). */
const NO_IDS = ['0', '-1', '1.5', '1e3', 'one', '9007199254740992', '%00']

const routes = () =>
  Object.values(router.toJSON())
    .flat()
    .map(({ methods, pattern }) => ({ method: methods[0], pattern }))
    .filter(({ pattern }) => /:(?:id|\w+Id)(?:\/|$)/.test(withoutTexts(pattern)))

/** Resource ids of overrides and ids of the identity provider are text. */
const withoutTexts = (pattern: string) => pattern.replace(/:resourceId|:orgId/, '')

const LISTS = ['/api/profile/me/notifications/inbox', '/api/users']

test.group('Ids', () => {
  test('that no row can have are refused or not found on every route', async ({ assert }) => {
    const { code } = await anApplication()
    const writing = new Set(writingRoutesOfRouter())
    assert.isAbove(routes().length, 20)
    for (const { method, pattern } of routes()) {
      const sender: Sender = pattern.startsWith('/api/internal/') ? 'internal' : 'token'
      const send = async (id: string) => {
        const path = pattern
          .replace(':appCode', code)
          .replace(/:(?:id|\w+Id)(?=\/|$)/g, id)
          .replace(':locale', 'en')
        const body = writing.has(`${method} ${pattern}`) ? '{}' : undefined
        return sendBody(method, path, body, await credentials(sender))
      }
      for (const id of TOO_LARGE) {
        const what = `${method} ${pattern} ${id}`
        const response = await send(id)
        assert.include([400, 404], response.status, what)
        await problemOf(assert, response, what)
      }
      for (const id of NO_IDS) {
        const what = `${method} ${pattern} ${id}`
        const response = await send(id)
        assert.equal(response.status, 400, what)
        assert.equal((await problemOf(assert, response, what)).code, 'VALIDATION_ERROR', what)
      }
    }
  })

  test('that no row can have are refused in a body', async ({ assert }) => {
    const token = await credentials('token')
    for (const id of TOO_LARGE) {
      const updates = `{"updates":[{"notificationTypeId":${id},"email":true}]}`
      const path = '/api/profile/me/notifications/preferences/bulk'
      const preferences = await sendBody('PUT', path, updates, token)
      assert.equal(preferences.status, 400)
      assert.equal((await problemOf(assert, preferences)).code, 'VALIDATION_ERROR')
      const pool = `{"slug":"pool","name":"Pool","brandId":${id}}`
      const pools = await sendBody('POST', '/api/admin/user-pools', pool, token)
      assert.equal(pools.status, 400)
      assert.equal((await problemOf(assert, pools)).code, 'VALIDATION_ERROR')
    }
  })

  test('that no row can have are refused in a cursor', async ({ assert }) => {
    const { code } = await anApplication()
    const token = await credentials('token')
    const cursor = Buffer.from(`id:${TOO_LARGE[0]}`).toString('base64url')
    for (const list of [...LISTS, `/api/admin/notifications/log/${code}`]) {
      const response = await sendBody('GET', `${list}?cursor=${cursor}`, undefined, token)
      assert.equal(response.status, 400, list)
      assert.equal((await problemOf(assert, response)).code, 'VALIDATION_ERROR', list)
    }
  })
})
