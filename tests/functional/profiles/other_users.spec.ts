import { test } from '@japa/runner'
import User from '#app/profiles/models/user'
import { inPath, lifecycleEvent } from '#tests/helpers/management'
import { panelPerson } from '#tests/helpers/panel_people'
import {
  anAdministratorOf,
  anApplication,
  signedIn,
  superAdmin,
  uniqueEmail,
} from '#tests/helpers/people'
import { applicationEvent, profileOf } from '#tests/helpers/profiles'

const PATHS = ['/api/profile/', '/api/users/']

test.group('Other users', () => {
  test('their profile is the same as their own view', async ({ assert, client }) => {
    const email = uniqueEmail()
    await signedIn(client, email).put('/api/profile/me', { firstName: 'Grace', theme: 'dark' })
    const response = await superAdmin(client).get(`/api/profile/${inPath(email)}`)
    response.assertStatus(200)
    assert.deepEqual(response.body(), { success: true, data: await profileOf(client, email) })
  })

  test('their user record contains identity and logins', async ({ assert, client }) => {
    const email = uniqueEmail()
    const [first, second] = [await anApplication(), await anApplication()]
    const organisation = { 'urn:zitadel:iam:user:resourceowner:id': '300000000000000009' }
    const person = signedIn(client, email, { claims: { ...organisation, sub: '42' } })
    await person.get(`/api/profile/me/apps/${first.code}`)
    await applicationEvent(client, { email, appCode: second.code, event: 'activity' })

    const response = await superAdmin(client).get(`/api/users/${inPath(email)}`)
    response.assertStatus(200)
    const { applications, ...user } = response.body().data
    assert.containSubset(user, {
      email,
      active: true,
      idpUserId: '42',
      idpOrgId: '300000000000000009',
    })
    assert.containSubset(applications, [
      { applicationCode: first.code, loginCount: 1 },
      { applicationCode: second.code, loginCount: 0, firstLoginAt: null, lastLoginAt: null },
    ])
    assert.lengthOf(applications, 2)
  })

  test('addresses are canonicalized', async ({ assert, client }) => {
    const email = uniqueEmail()
    await profileOf(client, email)
    for (const path of PATHS) {
      for (const writing of [email, email.toUpperCase(), ` ${email} `]) {
        const response = await superAdmin(client).get(path + inPath(writing))
        response.assertStatus(200)
        assert.equal(response.body().data.email, email)
      }
    }
  })

  test('an unknown user returns 404 and is not created', async ({ assert, client }) => {
    const email = uniqueEmail()
    for (const path of PATHS) {
      const response = await superAdmin(client).get(path + inPath(email))
      response.assertProblem(404, 'USER_NOT_FOUND')
    }
    assert.isNull(await User.findBy({ email }))
  })

  test('an invalid address returns 400', async ({ client }) => {
    for (const path of PATHS) {
      for (const text of [
        'nobody',
        '@',
        'a b@acme.example',
        'a\u200bb@acme.example',
        'a@b/c@d.io',
      ]) {
        const response = await superAdmin(client).get(path + inPath(text))
        response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'email' }] })
      }
    }
  })

  test('only super admins, global panel admins and application administrators have access', async ({
    client,
  }) => {
    const email = uniqueEmail()
    await profileOf(client, email)
    const application = await anApplication()
    const allowed = [
      await anAdministratorOf(application),
      await panelPerson(client, {}, { globally: 'edit' }),
    ]
    const refused = [
      uniqueEmail(),
      email,
      await panelPerson(client, { [application.code]: 'edit' }),
      await panelPerson(client, {}, { globally: 'view' }),
    ]
    for (const path of PATHS) {
      for (const who of allowed) {
        const response = await signedIn(client, who).get(path + inPath(email))
        response.assertStatus(200)
      }
      for (const who of refused) {
        const response = await signedIn(client, who).get(path + inPath(email))
        response.assertProblem(403, 'FORBIDDEN')
      }
      const anonymous = await client.get(path + inPath(email))
      anonymous.assertProblem(401, 'UNAUTHENTICATED')
    }
  })

  test('a deactivated administrator has no access', async ({ client }) => {
    const administrator = await anAdministratorOf(await anApplication())
    await lifecycleEvent(client, 'user.removed', administrator)
    for (const path of PATHS) {
      const response = await signedIn(client, administrator).get(path + inPath(administrator))
      response.assertProblem(403, 'USER_INACTIVE')
    }
  })

  test('the record of a removed user stays readable', async ({ assert, client }) => {
    const email = uniqueEmail()
    const { code } = await anApplication()
    await applicationEvent(client, { email, appCode: code, event: 'login' })
    await lifecycleEvent(client, 'user.removed', email)
    const response = await superAdmin(client).get(`/api/users/${inPath(email)}`)
    assert.containSubset(response.body().data, {
      email,
      active: false,
      applications: [{ applicationCode: code, loginCount: 1 }],
    })
  })
})
