import { test } from '@japa/runner'
import { CachedResolver } from '#app/checks/resolvers/cached_resolver'
import type { CheckResolver } from '#app/checks/resolvers/check_resolver'
import { DatabaseResolver } from '#app/checks/resolvers/database_resolver'
import { checkScope } from '#app/checks/values/check_scope'
import type { AccessLevel } from '#app/permissions/values/access_level'
import { decided } from '#tests/helpers/decided'
import { type AccessWorld, buildEmptyWorld, storeWorlds } from '#tests/helpers/access_world'
import { deleteWorlds } from '#tests/helpers/delete_worlds'

/** Every resolver must pass these cases. Each adds rows for a new user and checks `p`. */
interface Case {
  title: string
  given: Given[]
  type?: 'binary' | 'tiered'
  global?: boolean
  /** `both`: the resource of the overrides. */
  resource?: 'both' | 'typeOnly' | 'idOnly' | 'another'
  expected: [level: AccessLevel | null, source: string | null, rule: number]
}

type Given =
  | 'inactive'
  | 'active'
  | 'superAdmin'
  | 'applicationAdmin'
  | 'adminElsewhere'
  | 'deny'
  | 'grant'
  | 'grantView'
  | 'denyForAnother'
  | 'denyElsewhere'
  | 'roleView'
  | 'roleEdit'
  | 'roleAllowed'
  | 'roleElsewhere'
  | 'emptyRole'

const NOTHING: Case['expected'] = [null, null, 6]

const CASES: Case[] = [
  { title: 'nothing grants: denied', given: [], expected: NOTHING },
  { title: 'an active user without rights is denied', given: ['active'], expected: NOTHING },
  {
    title: 'rule 1 overrules everything: super admin, administrator, grant and role',
    given: ['inactive', 'superAdmin', 'applicationAdmin', 'grant', 'roleEdit'],
    resource: 'both',
    expected: [null, null, 1],
  },
  {
    title: 'rule 1 does not apply without a user record',
    given: ['roleEdit'],
    expected: ['edit', 'role', 5],
  },
  {
    title: 'rule 2: a super admin has edit, also on a binary permission and against a deny',
    given: ['superAdmin', 'applicationAdmin', 'deny'],
    type: 'binary',
    resource: 'both',
    expected: ['edit', 'superadmin', 2],
  },
  {
    title: 'rule 3: an administrator has edit on a tiered permission, against a deny',
    given: ['applicationAdmin', 'deny', 'roleView'],
    resource: 'both',
    expected: ['edit', 'app_admin', 3],
  },
  {
    title: 'rule 3: an administrator has allowed on a binary permission',
    given: ['applicationAdmin'],
    type: 'binary',
    expected: ['allowed', 'app_admin', 3],
  },
  {
    title: 'rule 3 applies only to the checked application',
    given: ['adminElsewhere'],
    expected: NOTHING,
  },
  {
    title: 'rule 4: a grant allows without any role, tiered at edit',
    given: ['grant'],
    resource: 'both',
    expected: ['edit', 'override', 4],
  },
  {
    title: 'rule 4: a grant allows without any role, binary',
    given: ['grant'],
    type: 'binary',
    resource: 'both',
    expected: ['allowed', 'override', 4],
  },
  {
    title: 'rule 4: a grant at view is view, although a role gives edit',
    given: ['grantView', 'roleEdit'],
    resource: 'both',
    expected: ['view', 'override', 4],
  },
  {
    title: 'rule 4: a deny overrules roles',
    given: ['deny', 'roleEdit'],
    resource: 'both',
    expected: [null, null, 4],
  },
  {
    title: 'rule 4 is skipped without a resource',
    given: ['deny', 'roleEdit'],
    expected: ['edit', 'role', 5],
  },
  {
    title: 'rule 4 is skipped with a resource type alone',
    given: ['deny', 'roleEdit'],
    resource: 'typeOnly',
    expected: ['edit', 'role', 5],
  },
  {
    title: 'rule 4 is skipped with a resource id alone',
    given: ['deny', 'roleEdit'],
    resource: 'idOnly',
    expected: ['edit', 'role', 5],
  },
  {
    title: 'rule 4 applies only to the given resource',
    given: ['deny', 'roleView'],
    resource: 'another',
    expected: ['view', 'role', 5],
  },
  {
    title: 'rule 4 does not apply to a global permission',
    given: ['deny', 'roleView'],
    global: true,
    resource: 'both',
    expected: ['view', 'role', 5],
  },
  {
    title: 'rule 4: overrides of other people do not count',
    given: ['denyForAnother', 'roleView'],
    resource: 'both',
    expected: ['view', 'role', 5],
  },
  {
    title:
      'rule 4: an override of another application’s permission of the same code does not count',
    given: ['denyElsewhere', 'roleView'],
    resource: 'both',
    expected: ['view', 'role', 5],
  },
  {
    title: 'rule 5: a role gives its level',
    given: ['roleView'],
    expected: ['view', 'role', 5],
  },
  {
    title: 'rule 5: the highest level of several roles wins',
    given: ['roleView', 'emptyRole', 'roleEdit'],
    resource: 'both',
    expected: ['edit', 'role', 5],
  },
  {
    title: 'rule 5: one role is enough for a binary permission',
    given: ['emptyRole', 'roleAllowed'],
    type: 'binary',
    expected: ['allowed', 'role', 5],
  },
  {
    title: 'rule 5: a role of another application does not count, whatever its code',
    given: ['roleElsewhere'],
    expected: NOTHING,
  },
  { title: 'rule 6: a role without the permission', given: ['emptyRole'], expected: NOTHING },
]

const ORDER = { resourceType: 'order', resourceId: '1' }
const ROLES = { roleView: 'view', roleEdit: 'edit', roleAllowed: 'allowed' } as const

function worldOf({ given, type = 'tiered', global = false }: Case): AccessWorld {
  const world = buildEmptyWorld({ people: 2, applications: 2 })
  const [email, another] = world.people
  const [app, elsewhere] = world.applications
  for (const each of world.applications) {
    world.permissions.push({ app: each, code: 'p', type, global, groupName: null })
    for (const role of [...Object.keys(ROLES), 'emptyRole']) world.roles.push({ app: each, role })
    for (const [role, level] of Object.entries(ROLES)) {
      world.rolePermissions.push({ app: each, role, permission: 'p', level })
    }
  }
  const override = { email, app, permission: 'p', ...ORDER, granted: false, level: null }
  for (const what of given) {
    if (what === 'active') world.users.push({ email, active: true })
    else if (what === 'inactive') world.users.push({ email, active: false })
    else if (what === 'superAdmin') world.superAdmins.push(email)
    else if (what === 'applicationAdmin') world.applicationAdmins.push({ email, app })
    else if (what === 'adminElsewhere') world.applicationAdmins.push({ email, app: elsewhere })
    else if (what === 'deny') world.overrides.push(override)
    else if (what === 'grant') world.overrides.push({ ...override, granted: true })
    else if (what === 'grantView') {
      world.overrides.push({ ...override, granted: true, level: 'view' })
    } else if (what === 'denyForAnother') world.overrides.push({ ...override, email: another })
    else if (what === 'denyElsewhere') world.overrides.push({ ...override, app: elsewhere })
    else if (what === 'roleElsewhere') {
      world.userRoles.push({ email, app: elsewhere, role: 'roleEdit' })
    } else world.userRoles.push({ email, app, role: what })
  }
  return world
}

function questionOf({ resource }: Case, { people: [email], applications: [app] }: AccessWorld) {
  switch (resource) {
    case 'both':
      return checkScope(email, app, ORDER.resourceType, ORDER.resourceId)
    case 'typeOnly':
      return checkScope(email, app, ORDER.resourceType)
    case 'idOnly':
      return checkScope(email, app, undefined, ORDER.resourceId)
    case 'another':
      return checkScope(email, app, ORDER.resourceId, ORDER.resourceType)
    default:
      return checkScope(email, app)
  }
}

const resolvers: [name: string, make: () => CheckResolver][] = [
  ['DatabaseResolver', () => new DatabaseResolver()],
  ['CachedResolver', () => new CachedResolver(new DatabaseResolver())],
]

for (const [name, make] of resolvers) {
  test.group(`Resolver conformance, ${name}`, (group) => {
    group.teardown(deleteWorlds)

    test('{title}')
      .with(CASES)
      .run(async ({ assert }, each) => {
        const world = worldOf(each)
        await storeWorlds([world])
        const resolver = make()
        const [level, source, decidedBy] = each.expected
        const expected = { level, source, decidedBy }
        const scope = questionOf(each, world)
        assert.deepEqual(await decided(resolver, scope, ['p']), [expected])
        // Check again, also together with other permissions.
        const [, again, unknown] = await decided(resolver, scope, ['q', 'p', 'unknown', 'p'])
        assert.deepEqual(again, expected)
        const ignoresPermission = decidedBy <= 3
        assert.equal(unknown.level !== null, ignoresPermission && level !== null)
      })

    test('returns one decision per code in order, also for codes such as __proto__', async ({
      assert,
    }) => {
      const world = worldOf({ title: '', given: ['roleView'], expected: NOTHING })
      await storeWorlds([world])
      const scope = checkScope(world.people[0], world.applications[0])
      const codes = [
        'constructor',
        'p',
        '__proto__',
        'toString',
        'p',
        '',
        'P',
        'p ',
        "p' or '1'='1",
      ]
      const levels = (await decided(make(), scope, codes)).map(({ level }) => level)
      assert.deepEqual(levels, [null, 'view', null, null, 'view', null, null, null, null])
    })

    test('an unknown application or user is denied without an error', async ({ assert }) => {
      const resolver = make()
      const scope = checkScope('nobody@worlds.example', 'no-such-application', 'order', '1')
      const nothing = {
        level: null,
        source: null,
        decidedBy: 6,
        undefinedPermission: true,
      }
      assert.deepEqual(await decided(resolver, scope, ['p']), [nothing])
      assert.deepEqual(await decided(resolver, scope, ['p', 'q']), [nothing, nothing])
      assert.deepEqual(await decided(resolver, scope, []), [])
    })
  })
}
