import { test } from '@japa/runner'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { parse } from 'yaml'
import TemplateVersion from '#app/notifications/models/template_version'
import UserRole from '#app/permissions/models/user_role'
import Role from '#app/permissions/models/role'
import db from '@adonisjs/lucid/services/db'
import { insertRows } from '#core/database/insert_rows'
import { USER_ROLES } from '#app/permissions/actions/replace_user_roles'
import { transaction } from '#core/database/transaction'
import { recordStatements } from '#tests/helpers/count_statements'
import { manageApplication } from '#tests/helpers/management'
import { anApplication, superAdmin } from '#tests/helpers/people'
import { aTemplate, aType } from '#tests/helpers/templates'
import {
  anApplicationWithPolicy,
  exportedAssignments,
  exportedPolicy,
} from '#tests/helpers/policies'
import { SUPER_ADMIN, issuer } from '#tests/world/prepare'

const SCHEMA = '/docs/schemas/application-policy.json'

test.group('Export of a policy', () => {
  test('has everything that an application defines, without ids', async ({ client }) => {
    const { code } = await anApplicationWithPolicy()
    const path = `/api/applications/${code}/policy`
    const response = await superAdmin(client).get(path)
    response.assertStatus(200)
    response.assertBody({ success: true, data: exportedPolicy(code) })
    const all = await superAdmin(client).get(`${path}?assignments=true`)
    all.assertBody({
      success: true,
      data: { ...exportedPolicy(code), assignments: exportedAssignments },
    })
  })

  test('is YAML with the address of its schema on request', async ({ client, assert }) => {
    const { code } = await anApplicationWithPolicy()
    const token = await issuer.token(SUPER_ADMIN)
    const response = await client
      .get(`/api/applications/${code}/policy`)
      .header('authorization', `Bearer ${token}`)
      .header('accept', 'application/yaml')
    response.assertStatus(200)
    response.assertHeader('content-type', 'application/yaml; charset=utf-8')
    const text = response.text()
    assert.match(text, /^# yaml-language-server: \$schema=http.*application-policy\.json\n/)
    assert.deepEqual(parse(text), exportedPolicy(code))
  })

  test('is valid by the published schema', async ({ client, assert }) => {
    const { code } = await anApplicationWithPolicy()
    const published = await client.get(SCHEMA)
    published.assertStatus(200)
    published.assertHeader('content-type', 'application/json; charset=utf-8')
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    addFormats.default(ajv)
    const validate = ajv.compile(JSON.parse(published.text()))
    const response = await superAdmin(client).get(
      `/api/applications/${code}/policy?assignments=true`
    )
    const { data } = response.body()
    assert.isTrue(validate(data), JSON.stringify(validate.errors))
    assert.isFalse(validate({ ...data, rols: [] }))
    assert.isFalse(validate({ ...data, roles: [{ code: 'a', permisions: [] }] }))
  })

  test('does not contain system types', async ({ client, assert }) => {
    const response = await superAdmin(client).get('/api/applications/auth/policy')
    const codes = response.body().data.notificationTypes.map((type: { code: string }) => type.code)
    assert.notInclude(codes, 'auth_idp')
  })

  test('is refused before it is read if there are too many assignments', async ({
    client,
    assert,
  }) => {
    const application = await anApplication()
    const { id } = await Role.create({ applicationId: application.id, code: 'everyone' })
    const assigned = { role_id: id, created_at: new Date().toISOString() }
    const rows = Array.from({ length: 10_001 }, (_, nth) => {
      const email = `user${nth}@${application.code}.example`
      return { email, ...assigned, valid_from: null, valid_until: null }
    })
    await transaction((trx) => insertRows(USER_ROLES, rows, trx))
    const path = `/api/applications/${application.code}/policy`
    const readsGrants = (statements: string[]) =>
      statements.some((sql) => /role_permissions.? as .?grants/.test(sql))
    const refused = await recordStatements(async () => {
      const response = await superAdmin(client).get(`${path}?assignments=true`)
      response.assertProblem(409, 'POLICY_TOO_LARGE')
      assert.deepInclude(response.body().details, { limit: 10_000, of: 'assignments.roles' })
    })
    const exported = await recordStatements(async () => {
      const without = await superAdmin(client).get(path)
      without.assertStatus(200)
    })
    assert.deepEqual([readsGrants(refused), readsGrants(exported)], [false, true])
    await UserRole.query().where('roleId', id).delete()
  })

  test('is refused if texts are too large, before they are read', async ({ client }) => {
    const application = await anApplication()
    const type = await aType(application)
    const body = 'x'.repeat(65_536)
    for (let nth = 0; nth < 65; nth++) {
      const { id } = await aTemplate(application, type, { key: `t${nth}` })
      const texts = { subjectTemplate: 'x', bodyTemplate: body, inlinedBody: '', textTemplate: '' }
      await TemplateVersion.createMany(
        ['cs', 'en'].map((locale) => ({ notificationTemplateId: id, locale, ...texts }))
      )
    }
    const path = `/api/applications/${application.code}/policy`
    const response = await superAdmin(client).get(path)
    response.assertProblem(409, 'POLICY_TOO_LARGE')
  })

  test('is refused if the conditions of overrides are too large together', async ({ client }) => {
    const application = await anApplication()
    const { id } = await manageApplication(client, application.code).permission()
    const row = { resource_type: 'shop', resource_id: 'first', permission_id: id, granted: true }
    const stamp = { created_at: new Date().toISOString() }
    const condition = `'${'x'.repeat(990)}' != ''`
    const rows = Array.from({ length: 8_500 }, (_, nth) => {
      return { ...row, email: `user${nth}@${application.code}.example`, condition, ...stamp }
    })
    for (let start = 0; start < rows.length; start += 500) {
      await db.table('resource_overrides').multiInsert(rows.slice(start, start + 500))
    }
    const path = `/api/applications/${application.code}/policy`
    const response = await superAdmin(client).get(`${path}?assignments=true`)
    response.assertProblem(409, 'POLICY_TOO_LARGE', { limit: 8_388_608, of: 'bytes of overrides' })
    const without = await superAdmin(client).get(path)
    without.assertStatus(200)
  })
})
