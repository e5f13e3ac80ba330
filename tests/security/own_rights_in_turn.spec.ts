import type { ApiClient, ApiResponse } from '@japa/api-client'
import { test } from '@japa/runner'
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

/** Asks with the same token each time. */
async function anAsker(client: ApiClient, app: string) {
  const email = uniqueEmail()
  const authorization = `Bearer ${await issuer.token(email)}`
  const ask = async () =>
    client
      .post('/api/profile/me/check')
      .header('authorization', authorization)
      .json({ app, permission })
  return { email, ask }
}

test.group('Single own checks', () => {
  // The short lane serves the third request of a token, and the route those before it.
  test('of one user run one after another, after {$self} with the token')
    .with([0, 1, 2])
    .run(async ({ client, assert }, earlier) => {
      const { code } = await anApplication()
      const [busy, other] = [await anAsker(client, code), await anAsker(client, code)]
      for (let nth = 0; nth < earlier; nth++) await busy.ask()
      const work = Promise.withResolvers<void>()
      const working = inOwnCheckBudget(`user:${busy.email}`, () => work.promise)
      const asked = busy.ask()
      assert.isTrue(await isOutrun(asked, other.ask))
      work.resolve()
      await working
      const response = await asked
      response.assertStatus(200)
    })

  test('do not wait if the decision is cached', async ({ client }) => {
    const { code } = await anApplication()
    await manageApplication(client, code).permission({ code: permission })
    const { email, ask } = await anAsker(client, code)
    await ask()
    const work = Promise.withResolvers<void>()
    const working = inOwnCheckBudget(`user:${email}`, () => work.promise)
    const cached = await ask()
    cached.assertStatus(200)
    work.resolve()
    await working
  })
})
