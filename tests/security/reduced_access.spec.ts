import { HttpContextFactory, RequestFactory } from '@adonisjs/core/factories/http'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { PANEL_ADMIN_ROLE } from '#app/applications/values/panel'
import { Forbidden, InvalidSecret } from '#app/auth/exceptions'
import InternalKeyMiddleware from '#app/auth/middleware/internal_key_middleware'
import PanelMiddleware, { type PanelRequirement } from '#app/auth/middleware/panel_middleware'
import { TemplateNotFound } from '#app/notifications/exceptions'
import TemplatePanelMiddleware from '#app/notifications/middleware/template_panel_middleware'
import ApplicationAdmin from '#app/permissions/models/application_admin'
import SuperAdmin from '#app/permissions/models/super_admin'
import UserRole from '#app/permissions/models/user_role'
import { hasRole, removeOtherSuperAdmins } from '#tests/access/callers'
import { aKeyOf } from '#tests/helpers/application_keys'
import { aTemplate, aType } from '#tests/helpers/deliveries'
import { inPath } from '#tests/helpers/management'
import { anAdministratorOf, anApplication, superAdmin, uniqueEmail } from '#tests/helpers/people'

const next = async () => {}

function aChange(email: string, params: Record<string, string> = {}) {
  const request = new RequestFactory().merge({ method: 'PUT' }).create()
  const ctx = new HttpContextFactory().merge({ request }).create()
  return Object.assign(ctx, { caller: { email }, params })
}

/** The guards of a route, which are repeated when the access of their caller has changed. */
function guardsOf(email: string, need: PanelRequirement, params?: Record<string, string>) {
  const ctx = aChange(email, params)
  return () => new PanelMiddleware().handle(ctx, next, need)
}

test.group('Guards that are repeated', (group) => {
  group.teardown(removeOtherSuperAdmins)

  test('refuse a former super admin whom they would still let in', async ({ assert }) => {
    const email = await hasRole(uniqueEmail(), PANEL_ADMIN_ROLE)
    await SuperAdmin.create({ email })
    const guard = guardsOf(email, 'globalAdmin')
    await guard()
    await guard()
    await SuperAdmin.query().where({ email }).delete()
    await assert.rejects(guard, Forbidden)
    const later = guardsOf(email, 'globalAdmin')
    await later()
  })

  test('refuse a former global panel admin whom they would still let in', async ({ assert }) => {
    const application = await anApplication()
    const email = await hasRole(await anAdministratorOf(application), PANEL_ADMIN_ROLE)
    const guard = guardsOf(email, 'edit', { appCode: application.code })
    await guard()
    await UserRole.query().where({ email }).delete()
    await assert.rejects(guard, Forbidden)
  })

  test('refuse someone who lost another application', async ({ assert }) => {
    const [application, other] = [await anApplication(), await anApplication()]
    const email = await anAdministratorOf(application)
    await ApplicationAdmin.create({ email, applicationId: other.id })
    const guard = guardsOf(email, 'edit', { appCode: application.code })
    await guard()
    await ApplicationAdmin.query().where({ email, applicationId: other.id }).delete()
    await assert.rejects(guard, Forbidden)
  })

  test('accept someone who has more access than before', async () => {
    const application = await anApplication()
    const email = await anAdministratorOf(application)
    const guard = guardsOf(email, 'edit', { appCode: application.code })
    await guard()
    await SuperAdmin.create({ email })
    await guard()
  })

  test('notice the loss of an application for changes of templates', async ({ assert, client }) => {
    const application = await anApplication()
    const email = await anAdministratorOf(application)
    const template = await aTemplate(await aType(application), {})
    const ctx = aChange(email, { id: String(template.id) })
    const guard = () => new TemplatePanelMiddleware().handle(ctx, next, 'edit')
    await guard()
    assert.isFalse(await ctx.guarded!.hasChanged(db.connection()))
    const removed = await superAdmin(client).delete(
      `/api/users/admins/apps/${application.code}/${inPath(email)}`
    )
    removed.assertStatus(204)
    assert.isTrue(await ctx.guarded!.hasChanged(db.connection()))
    await assert.rejects(guard, TemplateNotFound)
  })

  test('notice that a key was revoked', async ({ assert, client }) => {
    const application = await anApplication()
    const { text, id } = await aKeyOf(application)
    const ctx = aChange(uniqueEmail(), { appCode: application.code })
    ctx.request.request.headers['x-internal-api-key'] = text
    const guard = () => new InternalKeyMiddleware().handle(ctx, next, 'application')
    await guard()
    assert.isFalse(await ctx.guarded!.hasChanged(db.connection()))
    const revoked = await superAdmin(client).delete(
      `/api/applications/${application.code}/keys/${id}`
    )
    revoked.assertStatus(204)
    assert.isTrue(await ctx.guarded!.hasChanged(db.connection()))
    await assert.rejects(guard, InvalidSecret)
  })
})
