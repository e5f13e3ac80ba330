import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import ApplicationAdmin from '#app/permissions/models/application_admin'
import SuperAdmin from '#app/permissions/models/super_admin'
import User from '#app/profiles/models/user'
import { removeOtherSuperAdmins } from '#tests/access/callers'
import { inPath } from '#tests/helpers/management'
import { anApplication, signedIn, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { subjectOf } from '#tests/world/issuer'

type Admin = ReturnType<typeof signedIn>

interface Case {
  /** What another super admin does. */
  revoke: (root: Admin, email: string, app: string) => Promise<{ status(): number }>
  /** What the user repeats meanwhile. */
  repeat: (own: Admin, email: string, app: string) => Promise<{ status(): number }>
  isUndone: (email: string) => Promise<boolean>
}

const identityOf = (email: string) => `/api/users/${inPath(email)}/identity`
const isSuperAdmin = async (email: string) => (await SuperAdmin.findBy({ email })) !== null

const CASES: Record<string, Case> = {
  'the removal of a super admin': {
    revoke: (root, email) => root.delete(`/api/users/admins/${inPath(email)}`),
    repeat: (own, email) => own.post('/api/users/admins', { email }),
    isUndone: isSuperAdmin,
  },
  'the removal of an administrator': {
    revoke: (root, email, app) => root.delete(`/api/users/admins/apps/${app}/${inPath(email)}`),
    repeat: (own, email, app) => own.post(`/api/users/admins/apps/${app}`, { email }),
    isUndone: async (email) => (await ApplicationAdmin.findBy({ email })) !== null,
  },
  'a deactivation': {
    revoke: (root, email) => root.put(`/api/users/${inPath(email)}/active`, { active: false }),
    repeat: (own, email) => own.put(`/api/users/${inPath(email)}/active`, { active: true }),
    isUndone: async (email) => (await User.findByOrFail({ email })).active,
  },
  'a rebinding': {
    revoke: (root, email) => root.put(identityOf(email), { idpUserId: `other-${email}` }),
    repeat: (own, email) => own.put(identityOf(email), { idpUserId: subjectOf(email) }),
    isUndone: async (email) => (await User.findByOrFail({ email })).idpUserId === subjectOf(email),
  },
  'an erasure': {
    revoke: (root, email) => root.delete(`/api/users/${inPath(email)}`),
    repeat: (own, email) => own.post('/api/users/admins', { email }),
    isUndone: isSuperAdmin,
  },
}

/** Requests that were let in before, and wait for the revocation. */
const AT_ONCE = 10

async function anAdministrator(client: ApiClient, title: string) {
  const root = superAdmin(client)
  const email = uniqueEmail('super')
  const { code } = await anApplication()
  const isOfApplication = title === 'the removal of an administrator'
  const path = isOfApplication ? `/api/users/admins/apps/${code}` : '/api/users/admins'
  ;(await root.post(path, { email })).assertStatus(201)
  const own = signedIn(client, email)
  ;(await own.get('/api/profile/me')).assertStatus(200)
  return { root, own, email, code }
}

test.group('Requests of someone whose rights are revoked meanwhile', (group) => {
  group.teardown(removeOtherSuperAdmins)

  test('do not undo {$self}')
    .with(Object.keys(CASES))
    .run(async ({ assert, client }, title) => {
      const { revoke, repeat, isUndone } = CASES[title]
      const { root, own, email, code } = await anAdministrator(client, title)
      let isOver = false
      const loops = Array.from({ length: AT_ONCE }, async () => {
        while (!isOver) await repeat(own, email, code)
      })
      await repeat(own, email, code)
      const revoked = await revoke(root, email, code)
      // What has come before it is over, too.
      const last = await repeat(own, email, code)
      isOver = true
      await Promise.all(loops)
      assert.include([200, 204], revoked.status())
      assert.include([401, 403], last.status())
      assert.isFalse(await isUndone(email))
    })
})
