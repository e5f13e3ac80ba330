import { once } from 'node:events'
import server from '@adonisjs/core/services/server'
import type { ApiClient, ApiResponse } from '@japa/api-client'
import { test } from '@japa/runner'
import { decisions } from '#app/checks/decisions'
import ApplicationAdmin from '#app/permissions/models/application_admin'
import { inRightsBudget, inOwnCheckBudget } from '#core/database/work_budgets'
import { manageApplication } from '#tests/helpers/management'
import { anApplication, signedIn, uniqueEmail } from '#tests/helpers/people'
import { issuer } from '#tests/world/prepare'

interface Request {
  path: (appCode: string) => string
  body: (appCode: string, email: string) => object
}

const own = (rest: string) => () => `/api/profile/me/check/${rest}`
const ofOthers = (rest: string) => (code: string) => `/api/applications/${code}/access/${rest}`
const permission = 'orders'

const REQUESTS: Record<string, Request> = {
  'an own bulk check': { path: own('bulk'), body: (app) => ({ app, permissions: [permission] }) },
  'own effective permissions': { path: own('effective'), body: (app) => ({ app }) },
  'an own explanation': { path: own('explain'), body: (app) => ({ app, permission }) },
  'an own search of permissions': { path: own('search/permissions'), body: (app) => ({ app }) },
  'an own search of resources': {
    path: own('search/resources'),
    body: (app) => ({ app, permission, resourceType: 'order' }),
  },
  'effective permissions of another user': {
    path: ofOthers('effective'),
    body: (_, email) => ({ email }),
  },
  'an explanation about another user': {
    path: ofOthers('explain'),
    body: (_, email) => ({ email, permission }),
  },
  'a search of subjects': { path: ofOthers('search/subjects'), body: () => ({ permission }) },
}

/** Two administrators of an application, of whom one has a request in progress until it ends. */
async function aBusyAdministrator(client: ApiClient) {
  const { code } = await anApplication()
  const manage = manageApplication(client, code)
  await manage.permission({ code: permission })
  const [busy, other] = [uniqueEmail('busy'), uniqueEmail('other')]
  await manage.administrator(busy)
  await manage.administrator(other)
  const work = Promise.withResolvers<void>()
  const working = inRightsBudget(`user:${busy}`, () => work.promise)
  const ask = (email: string, { path, body }: Request) =>
    signedIn(client, email).post(path(code), body(code, email))
  const end = async () => {
    work.resolve()
    await working
  }
  return { busy, other, ask, end }
}

/** Whether a request is still in progress when three later ones of somebody else have ended. */
async function isOutrun(asked: Promise<ApiResponse>, askLater: () => Promise<ApiResponse>) {
  const progress = { hasEnded: false }
  void asked.then(() => (progress.hasEnded = true))
  for (let nth = 0; nth < 3; nth++) {
    const response = await askLater()
    response.assertStatus(200)
  }
  return !progress.hasEnded
}

test.group('Requests for many rights', () => {
  test('of one user run one after another: {$self}')
    .with(Object.keys(REQUESTS))
    .run(async ({ client, assert }, name) => {
      const { busy, other, ask, end } = await aBusyAdministrator(client)
      const asked = ask(busy, REQUESTS[name])
      assert.isTrue(await isOutrun(asked, () => ask(other, REQUESTS[name])))
      await end()
      const response = await asked
      response.assertStatus(200)
    })

  test('are refused if the right to them ends while they wait', async ({ client }) => {
    const { busy, other, ask, end } = await aBusyAdministrator(client)
    const request = REQUESTS['a search of subjects']
    const asked = ask(busy, request)
    for (let nth = 0; nth < 3; nth++) await ask(other, request)
    await ApplicationAdmin.query().where({ email: busy }).delete()
    await end()
    const response = await asked
    response.assertProblem(403, 'FORBIDDEN')
  })
})

const OWN_CHECK = '/api/profile/me/check'

/** Asks with the same token each time. The short lane serves its third request. */
async function anAsker(client: ApiClient, app: string) {
  const email = uniqueEmail()
  const headers = { authorization: `Bearer ${await issuer.token(email)}` }
  const body = { app, permission }
  const ask = async (times = 1): Promise<ApiResponse> => {
    const response = await client.post(OWN_CHECK).headers(headers).json(body)
    return times === 1 ? response : ask(times - 1)
  }
  return { email, ask, headers, body }
}

/** Makes the checks of a user wait until it ends. */
function occupy(email: string) {
  const work = Promise.withResolvers<void>()
  const working = inOwnCheckBudget(email, () => work.promise)
  return async () => {
    work.resolve()
    await working
  }
}

test.group('Single own checks', () => {
  test('of one user run one after another: request {$self} with a token')
    .with([1, 2, 3])
    .run(async ({ client, assert }, nth) => {
      const { code } = await anApplication()
      const [busy, other] = [await anAsker(client, code), await anAsker(client, code)]
      if (nth > 1) await busy.ask(nth - 1)
      const end = occupy(busy.email)
      const asked = busy.ask()
      assert.isTrue(await isOutrun(asked, other.ask))
      await end()
      const response = await asked
      response.assertStatus(200)
    })

  test('are refused if they cannot begin in time: request {$self} with a token')
    .with([1, 3])
    .run(async ({ client, assert }, nth) => {
      const { code } = await anApplication()
      const { email, ask } = await anAsker(client, code)
      if (nth > 1) await ask(nth - 1)
      const end = occupy(email)
      const refused = await ask()
      await end()
      refused.assertProblem(503, 'OVERLOADED')
      assert.equal(refused.header('retry-after'), '5')
    })
    .timeout(15_000)

  test('do not wait if the decision is cached', async ({ client }) => {
    const { code } = await anApplication()
    await manageApplication(client, code).permission({ code: permission })
    const { email, ask } = await anAsker(client, code)
    await ask()
    const end = occupy(email)
    const cached = await ask()
    cached.assertStatus(200)
    await end()
  })

  test('do not run if their client has left', async ({ client, assert }) => {
    const { code } = await anApplication()
    const [busy, other] = [await anAsker(client, code), await anAsker(client, code)]
    await busy.ask(2)
    const end = occupy(busy.email)
    const arrived = once(server.getNodeServer()!, 'request')
    const leaving = new AbortController()
    const asked = fetch(`${process.env.APP_URL}${OWN_CHECK}`, {
      method: 'POST',
      headers: { ...busy.headers, 'content-type': 'application/json' },
      body: JSON.stringify(busy.body),
      signal: leaving.signal,
    })
    const [, response] = await arrived
    // The request has been read and waits.
    await other.ask(3)
    const closed = once(response, 'close')
    leaving.abort()
    await assert.rejects(() => asked)
    await closed
    const { misses } = decisions
    await end()
    await other.ask()
    assert.equal(decisions.misses - misses, 1)
  })
})
