import fc from 'fast-check'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import Application from '#app/applications/models/application'
import {
  APPLICATION_MANAGER_ROLE,
  MANAGE_APPLICATIONS,
  PANEL_ADMIN_ROLE,
} from '#app/applications/values/panel'
import { type PanelLevel, PanelAccess } from '#app/auth/panel/panel_access'
import { readPanelAccess } from '#app/auth/panel/read_panel_access'
import { DatabaseResolver } from '#app/checks/resolvers/database_resolver'
import { checkScope } from '#app/checks/values/check_scope'
import Permission from '#app/permissions/models/permission'
import Role from '#app/permissions/models/role'
import { decided } from '#tests/helpers/decided'
import { uniqueCode } from '#tests/helpers/people'

interface Person {
  active?: boolean | null
  superAdmin?: boolean
  panelAdministrator?: boolean
  administratorOf?: string[]
  /** The level of `applications.manage` that a role grants on all applications. */
  role?: PanelLevel
  manager?: boolean
  /** Overrides of `applications.manage` by application code. */
  overrides?: Record<string, PanelLevel | 'grant' | 'deny'>
}

/** See authentication.md#panel-levels. */
interface Expected {
  shop: PanelLevel | null
  bank: PanelLevel | null
  auth: 'edit' | null
  isSuperAdmin?: true
  isGlobalAdmin?: true
  mayReadUsers?: true
  hasAnyLevel?: true
}

const NOTHING: Expected = { shop: null, bank: null, auth: null }
const EVERYTHING: Expected = {
  shop: 'edit',
  bank: 'edit',
  auth: 'edit',
  isGlobalAdmin: true,
  mayReadUsers: true,
  hasAnyLevel: true,
}

const CASES: { who: string; person: Person; expected: Expected }[] = [
  { who: 'nobody in particular', person: {}, expected: NOTHING },
  {
    who: 'a super admin',
    person: { superAdmin: true },
    expected: { ...EVERYTHING, isSuperAdmin: true },
  },
  {
    who: 'a super admin with denies',
    person: { superAdmin: true, overrides: { shop: 'deny', auth: 'deny' } },
    expected: { ...EVERYTHING, isSuperAdmin: true },
  },
  {
    who: 'an inactive user with every right there is',
    person: {
      active: false,
      superAdmin: true,
      panelAdministrator: true,
      role: 'edit',
      administratorOf: ['shop'],
      manager: true,
      overrides: { bank: 'edit' },
    },
    expected: NOTHING,
  },
  {
    who: 'an administrator of one application',
    person: { administratorOf: ['shop'] },
    expected: { ...NOTHING, shop: 'edit', mayReadUsers: true, hasAnyLevel: true },
  },
  {
    who: 'an administrator against a deny on the own application',
    person: { administratorOf: ['shop'], manager: true, overrides: { shop: 'deny' } },
    expected: { ...NOTHING, shop: 'edit', mayReadUsers: true, hasAnyLevel: true },
  },
  {
    who: 'a manager without any grant',
    person: { manager: true },
    expected: NOTHING,
  },
  {
    who: 'a manager with view on one application',
    person: { manager: true, overrides: { shop: 'view' } },
    expected: { ...NOTHING, shop: 'view', hasAnyLevel: true },
  },
  {
    who: 'a manager with edit on one and view on another application',
    person: { manager: true, overrides: { shop: 'edit', bank: 'view' } },
    expected: { ...NOTHING, shop: 'edit', bank: 'view', hasAnyLevel: true },
  },
  {
    who: 'a manager with a grant without a level, which means edit',
    person: { manager: true, overrides: { shop: 'grant' } },
    expected: { ...NOTHING, shop: 'edit', hasAnyLevel: true },
  },
  {
    who: 'someone with grants who is no manager',
    person: { overrides: { shop: 'edit', bank: 'view' } },
    expected: NOTHING,
  },
  {
    who: 'a manager with a grant on the panel’s own application, which opens nothing',
    person: { manager: true, overrides: { auth: 'edit' } },
    expected: NOTHING,
  },
  {
    who: 'a manager with a deny',
    person: { manager: true, overrides: { shop: 'deny' } },
    expected: NOTHING,
  },
  {
    who: 'a global panel admin, who need not be a manager',
    person: { role: 'edit' },
    expected: EVERYTHING,
  },
  {
    who: 'a global panel admin with a deny on one application',
    person: { role: 'edit', overrides: { shop: 'deny' } },
    expected: { ...EVERYTHING, shop: null },
  },
  {
    who: 'a global panel admin with a deny on the panel’s own application, which closes nothing',
    person: { role: 'edit', overrides: { auth: 'deny' } },
    expected: EVERYTHING,
  },
  {
    who: 'a global panel admin and manager whom an override lowers to view',
    person: { role: 'edit', manager: true, overrides: { shop: 'view' } },
    expected: { ...EVERYTHING, shop: 'view' },
  },
  {
    who: 'a global panel admin whose override does not count without the manager role',
    person: { role: 'edit', overrides: { shop: 'view' } },
    expected: EVERYTHING,
  },
  {
    who: 'someone with view on all applications, which is no global panel admin',
    person: { role: 'view' },
    expected: { shop: 'view', bank: 'view', auth: null, hasAnyLevel: true },
  },
  {
    who: 'a manager with view on all and edit on one application',
    person: { role: 'view', manager: true, overrides: { shop: 'edit' } },
    expected: { shop: 'edit', bank: 'view', auth: null, hasAnyLevel: true },
  },
  {
    who: 'someone with view on all whose grant of edit does not count',
    person: { role: 'view', overrides: { shop: 'edit' } },
    expected: { shop: 'view', bank: 'view', auth: null, hasAnyLevel: true },
  },
  {
    who: 'someone with view on all and a deny on one application',
    person: { role: 'view', overrides: { shop: 'deny' } },
    expected: { shop: null, bank: 'view', auth: null, hasAnyLevel: true },
  },
]

function panelAccessOf(person: Person): PanelAccess {
  const overrides = Object.entries(person.overrides ?? {}).map(
    ([appCode, value]) => [appCode, overrideOf(value)] as const
  )
  return new PanelAccess({
    panel: {
      active: person.active ?? null,
      superAdmin: person.superAdmin ?? false,
      from: 0,
      until: Infinity,
      applicationAdmin: person.panelAdministrator ?? false,
      permissions: new Map([
        [
          MANAGE_APPLICATIONS,
          {
            code: MANAGE_APPLICATIONS,
            type: 'tiered',
            global: false,
            groupName: null,
            roleLevel: person.role ?? null,
            conditionalGrants: [],
            override: null,
          },
        ],
      ]),
    },
    administratorOf: new Set(person.administratorOf),
    overrides: new Map(overrides),
    hasManagerRole: person.manager ?? false,
  })
}

function overrideOf(value: PanelLevel | 'grant' | 'deny') {
  const level = value === 'view' || value === 'edit' ? value : null
  return { granted: value !== 'deny', level, condition: null }
}

test.group('Panel access', () => {
  test('{who}')
    .with(CASES)
    .run(({ assert }, { person, expected }) => {
      const access = panelAccessOf(person)
      for (const appCode of ['shop', 'bank', 'auth'] as const) {
        const level = expected[appCode]
        assert.equal(access.levelOn(appCode), level, appCode)
        assert.equal(access.holds('view', appCode), level !== null, `view ${appCode}`)
        assert.equal(access.holds('edit', appCode), level === 'edit', `edit ${appCode}`)
      }
      assert.equal(access.isSuperAdmin, expected.isSuperAdmin ?? false, 'isSuperAdmin')
      assert.equal(access.isGlobalAdmin, expected.isGlobalAdmin ?? false, 'isGlobalAdmin')
      assert.equal(access.mayReadUsers, expected.mayReadUsers ?? false, 'mayReadUsers')
      assert.equal(access.hasAnyLevel, expected.hasAnyLevel ?? false, 'hasAnyLevel')
    })
})

const APPLICATIONS = ['shop', 'bank', 'gone'] as const
const override = fc.option(fc.constantFrom('view', 'edit', 'grant', 'deny'), { nil: undefined })
const anyPerson = fc.record({
  active: fc.constantFrom(null, true, true, false),
  superAdmin: fc.nat(6).map((number) => number === 0),
  panelAdministrator: fc.nat(6).map((number) => number === 0),
  administratorOf: fc.subarray(['shop', 'bank'], { maxLength: 1 }),
  role: fc.option(fc.constantFrom('view', 'edit'), { nil: undefined }),
  manager: fc.boolean(),
  overrides: fc.record({ shop: override, bank: override, gone: override, auth: override }),
})

test.group('Stored panel access', (group) => {
  const now = new Date(0).toISOString()
  const source = new DatabaseResolver()
  const codes = new Map<string, string>([['auth', 'auth']])
  const ids = new Map<string, number>()
  let permissionId: number
  const tag = uniqueCode('panel')
  let people = 0

  group.setup(async () => {
    const panel = await Application.findByOrFail({ code: 'auth' })
    ids.set('auth', panel.id)
    const ofPanel = { applicationId: panel.id }
    const permission = await Permission.findByOrFail({ ...ofPanel, code: MANAGE_APPLICATIONS })
    permissionId = permission.id
    const viewers = await Role.create({ ...ofPanel, code: `${tag}-viewer`, description: null })
    await db
      .table('role_permissions')
      .insert({ role_id: viewers.id, permission_id: permissionId, access_level: 'view' })
    ids.set('view', viewers.id)
    for (const [name, code] of [
      ['edit', PANEL_ADMIN_ROLE],
      ['manager', APPLICATION_MANAGER_ROLE],
    ]) {
      ids.set(name, (await Role.findByOrFail({ ...ofPanel, code })).id)
    }
    for (const name of APPLICATIONS) {
      codes.set(name, `${tag}-${name}`)
      if (name === 'gone') continue
      const fields = { code: codes.get(name)!, name, description: null, supportedLanguages: [] }
      ids.set(name, (await Application.create(fields)).id)
    }
    return async () => {
      await viewers.delete()
      await db.from('applications').where('code', 'like', `${tag}-%`).delete()
      for (const table of ['users', 'super_admins', 'user_roles', 'resource_overrides']) {
        await db.from(table).where('email', 'like', `%@${tag}.example`).delete()
      }
      await db.from('application_admins').where('email', 'like', `%@${tag}.example`).delete()
    }
  })

  /** Stores the user and returns their address. */
  async function store(person: typeof anyPerson extends fc.Arbitrary<infer T> ? T : never) {
    const email = `p${++people}@${tag}.example`
    const administered = [...person.administratorOf, ...(person.panelAdministrator ? ['auth'] : [])]
    const roles = [person.role, person.manager ? 'manager' : undefined]
    const rows = {
      users:
        person.active === null
          ? []
          : [{ email, active: person.active, theme: 'system', created_at: now, updated_at: now }],
      super_admins: person.superAdmin ? [{ email, created_at: now }] : [],
      application_admins: administered.map((name) => ({
        email,
        application_id: ids.get(name)!,
        created_at: now,
      })),
      user_roles: roles
        .filter((name) => name !== undefined)
        .map((name) => ({ email, role_id: ids.get(name)!, created_at: now })),
      resource_overrides: Object.entries(person.overrides)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => ({
          email,
          permission_id: permissionId,
          created_at: now,
          resource_type: 'application',
          resource_id: codes.get(name)!,
          granted: value !== 'deny',
          access_level: value === 'view' || value === 'edit' ? value : null,
        })),
    }
    for (const [table, values] of Object.entries(rows)) {
      if (values.length > 0) await db.table(table).multiInsert(values)
    }
    return email
  }

  test('is the evaluator’s decision, except for administrators and grants without the role', async ({
    assert,
  }) => {
    await fc.assert(
      fc.asyncProperty(anyPerson, async (person) => {
        const email = await store(person)
        const access = await readPanelAccess(email)
        const decide = async (appCode?: string) => {
          const resource = appCode === undefined ? [] : ['application', appCode]
          const scope = checkScope(email, 'auth', ...resource)
          const [decision] = await decided(source, scope, [MANAGE_APPLICATIONS])
          return decision
        }
        const globally = await decide()
        for (const name of APPLICATIONS) {
          const decision = await decide(codes.get(name))
          const isVoid = decision.source === 'override' && !person.manager
          const isAdministrator = person.administratorOf.some((own) => own === name)
          const expected =
            isAdministrator && person.active !== false
              ? 'edit'
              : (isVoid ? globally : decision).level
          assert.equal(access.levelOn(codes.get(name)!), expected, name)
        }
        const isGlobal = globally.level === 'edit'
        assert.equal(access.isGlobalAdmin, isGlobal)
        assert.equal(access.levelOn('auth'), isGlobal ? 'edit' : null)
        assert.equal(access.isSuperAdmin, globally.source === 'superadmin')
      }),
      { numRuns: 200 }
    )
  })

  test('hides everything when the panel’s permission does not exist, except from super admins', ({
    assert,
  }) => {
    const facts = {
      active: true,
      superAdmin: false,
      applicationAdmin: false,
      from: 0,
      until: Infinity,
    }
    const rest = {
      administratorOf: new Set<string>(),
      overrides: new Map([['shop', { granted: true, level: null, condition: null }]]),
      hasManagerRole: true,
    }
    const nobody = new PanelAccess({ panel: { ...facts, permissions: new Map() }, ...rest })
    assert.isNull(nobody.levelOn('shop'))
    assert.isFalse(nobody.hasAnyLevel)
    const panel = { ...facts, superAdmin: true, permissions: new Map() }
    assert.equal(new PanelAccess({ panel, ...rest }).levelOn('shop'), 'edit')
  })
})
