import { test } from '@japa/runner'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { ApiClient } from '@japa/api-client'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { insertRows } from '#core/database/insert_rows'
import { transaction } from '#core/database/transaction'
import { USER_ROLES } from '#app/permissions/actions/replace_user_roles'
import Role from '#app/permissions/models/role'
import UserRole from '#app/permissions/models/user_role'
import { windowColumns } from '#app/permissions/values/time_window'
import { allowed, manageApplication } from '#tests/helpers/management'
import { panelPerson } from '#tests/helpers/panel_people'
import { anAdministratorOf, anApplication, signedIn, uniqueEmail } from '#tests/helpers/people'
import { sendBody } from '#tests/helpers/send'
import { SUPER_ADMIN, issuer } from '#tests/world/prepare'

/** A result, or a problem with the bad rows. */
interface ImportResponse {
  success?: boolean
  data?: object
  code: string
  detail: string
  details: { errors: { field: string; rule: string; message: string }[] }
}

async function anImport(client: ApiClient) {
  const application = await anApplication()
  const manage = manageApplication(client, application.code)
  const clerk = await manage.role({ code: 'clerk' })
  const chief = await manage.role({ code: 'chief' })
  const path = `/api/applications/${application.code}/assignments/import`
  const token = await issuer.token(SUPER_ADMIN)
  const request = (query: string) =>
    client.post(`${path}${query}`).header('authorization', `Bearer ${token}`)
  const rows = (list: unknown, query = '') => request(query).json({ rows: list })
  const csv = async (text: string | Uint8Array<ArrayBuffer>, type = 'text/csv') => {
    const headers = { 'authorization': `Bearer ${token}`, 'content-type': type }
    const response = await sendBody('POST', path, text, headers)
    return { status: response.status, body: (await response.json()) as ImportResponse }
  }
  const held = async (email: string) => {
    const found = await UserRole.query().where({ email }).orderBy('roleId')
    return found.map(({ roleId }) => roleId)
  }
  return { application, manage, clerk, chief, path, rows, csv, held }
}

test.group('Import of role assignments', () => {
  test('assigns the roles of all rows and keeps what exists', async ({ client, assert }) => {
    const { application, manage, clerk, chief, rows, held } = await anImport(client)
    const [ada, alan] = [uniqueEmail('ada'), uniqueEmail('alan')]
    await manage.userRoles(ada, [chief.id])
    const permission = await manage.permission()
    await manage.rolePermissions(clerk.id, [
      { permissionId: permission.id, accessLevel: 'allowed' },
    ])
    const check = { email: ada, app: application.code, permission: permission.code }
    assert.isFalse(await allowed(client, check))
    const list = [
      { email: ada.toUpperCase(), role: 'clerk' },
      { email: alan, role: 'clerk' },
      { email: ada, role: 'chief' },
      { email: alan, role: 'clerk' },
    ]
    const dryRun = await rows(list, '?dryRun=true')
    dryRun.assertStatus(200)
    const data = { created: 2, unchanged: 2, errors: [] }
    dryRun.assertBody({ success: true, data })
    assert.deepEqual(await held(alan), [])
    const response = await rows(list)
    response.assertBody({ success: true, data })
    assert.deepEqual(await held(ada), [clerk.id, chief.id])
    assert.deepEqual(await held(alan), [clerk.id])
    assert.isTrue(await allowed(client, check))
    const again = await rows(list)
    again.assertBody({ success: true, data: { created: 0, unchanged: 4, errors: [] } })
  })

  test('reads CSV: {title}')
    .with([
      { title: 'with commas and LF', text: 'email,role\nADA,clerk\nALAN,chief\n' },
      { title: 'with CRLF and no last line end', text: 'email,role\r\nADA,clerk\r\nALAN,chief' },
      { title: 'with a byte order mark', text: '\uFEFFemail,role\nADA,clerk\nALAN,chief\n' },
      { title: 'with quotes', text: '"email","role"\n"ADA","clerk"\n"ALAN","chief"\n' },
      {
        title: 'with semicolons below empty lines',
        text: '\n\r\nemail;role\nADA;clerk\nALAN;chief',
      },
      { title: 'with semicolons', text: 'email;role\nADA;clerk\nALAN;chief\n' },
      { title: 'in another order', text: 'Role,Email\nclerk,ADA\nchief,ALAN\n' },
      {
        title: 'with blanks and empty lines',
        text: ' email , role\n\n ADA , clerk\n\nALAN,chief\n',
      },
      {
        title: 'with empty windows',
        text: 'email,role,validFrom,validUntil\nADA,clerk,,\nALAN,chief\n',
      },
    ])
    .run(async ({ client, assert }, { text }) => {
      const { clerk, chief, csv, held } = await anImport(client)
      const [ada, alan] = [uniqueEmail('ada'), uniqueEmail('alan')]
      const response = await csv(text.replace('ADA', ada).replace('ALAN', alan))
      assert.deepEqual(response.body, {
        success: true,
        data: { created: 2, unchanged: 0, errors: [] },
      })
      assert.deepEqual(await held(ada), [clerk.id])
      assert.deepEqual(await held(alan), [chief.id])
    })

  test('an import with an invalid row is refused, and the errors list every invalid row', async ({
    client,
    assert,
  }) => {
    const { application, csv, rows, held } = await anImport(client)
    const good = uniqueEmail('good')
    const lines = [
      'email,role,validUntil',
      `${good},clerk,`,
      'nobody,clerk,',
      `${uniqueEmail()},boss,`,
      `=HYPERLINK("x"),clerk,`,
      `${uniqueEmail()},clerk,tomorrow`,
      `${uniqueEmail()},clerk,,more`,
      ',clerk,',
    ]
    const expected = [
      [3, 'rows.1.email', 'email'],
      [4, 'rows.2.role', 'exists'],
      [5, 'rows.3.email', 'email'],
      [6, 'rows.4.validUntil', 'timestamp'],
      [7, 'rows.5', 'columns'],
      [8, 'rows.6.email', 'email'],
    ]
    const named = (errors: any[]) => errors.map(({ row, field, rule }) => [row, field, rule])
    const refused = await csv(lines.join('\n').replace('=HYPERLINK("x")', '"=HYPERLINK(""x"")"'))
    assert.equal(refused.status, 400)
    assert.equal(refused.body.code, 'VALIDATION_ERROR')
    assert.deepEqual(named(refused.body.details.errors), expected)
    assert.match(refused.body.detail, /^Row 3: /)
    assert.deepEqual(await held(good), [])

    const bad = Array.from({ length: 300 }, () => ({ email: good, role: 'boss' }))
    const dryRun = await rows(
      [{ email: good, role: 'clerk' }, ...bad, {}, { email: 7 }],
      '?dryRun=1'
    )
    dryRun.assertStatus(200)
    const { created, unchanged, errors } = dryRun.body().data
    assert.deepEqual([created, unchanged, errors.length], [1, 0, 302])
    assert.deepEqual(errors[0], {
      row: 2,
      field: 'rows.1.role',
      rule: 'exists',
      message: `Row 2: role must be the code of a role of application ${application.code}`,
    })
    assert.deepEqual(await held(good), [])
  })

  test('roles of other applications do not exist', async ({ client, assert }) => {
    const { rows } = await anImport(client)
    const other = await anImport(client)
    await other.manage.role({ code: 'foreign' })
    const response = await rows([{ email: uniqueEmail(), role: 'foreign' }])
    response.assertProblem(400, 'VALIDATION_ERROR')
    assert.equal(response.body().details.errors[0].field, 'rows.0.role')
  })

  test('refuses what is not a list of rows: {title}')
    .with([
      { title: 'no header', text: '', field: 'header' },
      { title: 'another header', text: 'mail,role\n', field: 'header' },
      { title: 'an unknown column', text: 'email,role,level\n', field: 'header' },
      { title: 'a repeated column', text: 'email,role,email\n', field: 'header' },
      { title: 'an open quote', text: 'email,role\n"a@b.example,clerk\n', field: 'body' },
      { title: 'a stray quote', text: 'email,role\na@b.example,cl"erk\n', field: 'body' },
      { title: 'an endless row', text: `email,role\n${'x'.repeat(40_000)}\n`, field: 'body' },
      {
        title: 'too many rows',
        text: `email,role\n${'a@b.example,clerk\n'.repeat(10_001)}`,
        field: 'rows',
      },
    ])
    .run(async ({ client, assert }, { text, field }) => {
      const { csv } = await anImport(client)
      const response = await csv(text)
      assert.equal(response.status, 400)
      assert.equal(response.body.details.errors[0].field, field)
    })

  test('refuses JSON without rows, other encodings and other types', async ({ client, assert }) => {
    const { rows, csv } = await anImport(client)
    for (const list of [undefined, null, 'rows', [1], Array.from({ length: 10_001 }, () => ({}))]) {
      ;(await rows(list)).assertProblem(400, 'VALIDATION_ERROR')
    }
    const latin = await csv(
      new Uint8Array(Buffer.from('email,role\nj\xfcrgen@b.example,clerk\n', 'latin1'))
    )
    assert.equal(latin.status, 400)
    assert.equal(latin.body.details.errors[0].rule, 'utf8')
    for (const type of [
      'text/csv; charset=windows-1250',
      'text/plain',
      'application/vnd.ms-excel',
    ]) {
      const response = await csv('email,role\n', type)
      assert.equal(response.status, 415)
      assert.equal(response.body.code, 'UNSUPPORTED_MEDIA_TYPE')
    }
  })

  test('10,000 rows are imported in one request while other requests are served', async ({
    client,
    assert,
  }) => {
    const { csv, clerk } = await anImport(client)
    const lines = Array.from(
      { length: 10_000 },
      (_, index) => `person-${index}@import.example,clerk`
    )
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const response = await csv(`email,role\n${lines.join('\n')}`)
    delay.disable()
    const data = { created: 10_000, unchanged: 0, errors: [] }
    assert.deepEqual(response.body, { success: true, data })
    const [{ $extras }] = await UserRole.query().where('roleId', clerk.id).count('* as total')
    assert.equal(Number($extras.total), 10_000)
    assert.isBelow(delay.max / 1e6, 2_000)
  })

  test('other requests are served during an import for users who have many roles', async ({
    client,
    assert,
  }) => {
    const { application, csv } = await anImport(client)
    const codes = Array.from({ length: 400 }, (_, index) => `role-${index}`)
    const roles = await Role.createMany(
      codes.map((code) => ({ code, applicationId: application.id }))
    )
    const createdAt = toDatabaseTimestamp(DateTime.utc())
    const emails = Array.from({ length: 100 }, () => uniqueEmail())
    const rows = emails.flatMap((email) =>
      roles.map(({ id }) => ({ email, role_id: id, created_at: createdAt, ...windowColumns({}) }))
    )
    await transaction((trx) => insertRows(USER_ROLES, rows, trx))
    // Every user and every role, but few of their pairs.
    const lines = codes.flatMap((code, index) => [
      `${emails[index % emails.length]},${code}`,
      `${uniqueEmail()},${code}`,
    ])
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const response = await csv(`email,role\n${lines.join('\n')}`)
    delay.disable()
    const data = { created: 400, unchanged: 400, errors: [] }
    assert.deepEqual(response.body, { success: true, data })
    assert.isBelow(delay.max / 1e6, 500)
  })

  test('of concurrent imports and replacements, none is lost or fails', async ({
    client,
    assert,
  }) => {
    const { manage, rows, clerk, chief, held } = await anImport(client)
    for (let round = 0; round < 3; round++) {
      const email = uniqueEmail()
      const responses = await Promise.all([
        rows([{ email, role: 'clerk' }]),
        manage.userRoles(email, [chief.id]),
        rows([{ email, role: 'clerk' }]),
      ])
      responses[0].assertStatus(200)
      responses[2].assertStatus(200)
      assert.include(await held(email), chief.id)
      const { created } = responses[0].body().data
      assert.oneOf(created + responses[2].body().data.created, [1, 2])
      assert.include([[chief.id], [clerk.id, chief.id]].map(String), String(await held(email)))
    }
  })

  test('needs the panel level edit', async ({ client }) => {
    const { application, path } = await anImport(client)
    const body = { rows: [] }
    const viewer = signedIn(client, await panelPerson(client, { [application.code]: 'view' }))
    ;(await viewer.post(path, body)).assertProblem(403, 'FORBIDDEN')
    const other = signedIn(client, await anAdministratorOf(await anApplication()))
    ;(await other.post(path, body)).assertProblem(403, 'FORBIDDEN')
    const own = signedIn(client, await anAdministratorOf(application))
    ;(await own.post(path, body)).assertStatus(200)
  })
})
