import { HttpContextFactory, RequestFactory } from '@adonisjs/core/factories/http'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { accessTransaction } from '#core/database/access_transaction'
import { PANEL_ADMIN_ROLE } from '#app/applications/values/panel'
import { authenticateIdentity } from '#app/auth/authenticate'
import { Forbidden, InvalidSecret } from '#app/auth/exceptions'
import InternalKeyMiddleware from '#app/auth/middleware/internal_key_middleware'
import PanelMiddleware, { type PanelRequirement } from '#app/auth/middleware/panel_middleware'
import { TemplateNotFound } from '#app/notifications/exceptions'
import type { Identity } from '#app/auth/values/caller'
import TemplatePanelMiddleware from '#app/notifications/middleware/template_panel_middleware'
import ApplicationAdmin from '#app/permissions/models/application_admin'
import SuperAdmin from '#app/permissions/models/super_admin'
import UserRole from '#app/permissions/models/user_role'
import { hasRole, removeOtherSuperAdmins } from '#tests/access/callers'
import { aKeyOf } from '#tests/helpers/application_keys'
import { aTemplate, aType } from '#tests/helpers/deliveries'
import { inPath } from '#tests/helpers/management'
import { anAdministratorOf, anApplication, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { subjectOf } from '#tests/world/issuer'

const next = async () => {}

/** A request of someone who has signed in before. */
async function aChange(email: string, params: Record<string, string> = {}) {
  const request = new RequestFactory().merge({ method: 'PUT' }).create()
  const ctx = new HttpContextFactory().merge({ request }).create()
  const identity = { email, subject: subjectOf(email), organisationId: null }
  const caller = await authenticateIdentity(identity as Identity)
  return Object.assign(ctx, { caller, params })
}

/** The guards of a route, which are repeated when the access of their caller has changed. */
async function guardsOf(email: string, need: PanelRequirement, params?: Record<string, string>) {
  const ctx = await aChange(email, params)
  return () => new PanelMiddleware().handle(ctx, next, need)
}

test.group('Guards that are repeated', (group) => {
  group.teardown(removeOtherSuperAdmins)

  test('refuse a former super admin whom they would still let in', async ({ assert }) => {
    const email = await hasRole(uniqueEmail(), PANEL_ADMIN_ROLE)
    await SuperAdmin.create({ email })
    const guard = await guardsOf(email, 'globalAdmin')
    await guard()
    await guard()
    await SuperAdmin.query().where({ email }).delete()
    await assert.rejects(guard, Forbidden)
    const later = await guardsOf(email, 'globalAdmin')
    await later()
  })

  test('refuse a former global panel admin whom they would still let in', async ({ assert }) => {
    const application = await anApplication()
    const email = await hasRole(await anAdministratorOf(application), PANEL_ADMIN_ROLE)
    const guard = await guardsOf(email, 'edit', { appCode: application.code })
    await guard()
    await UserRole.query().where({ email }).delete()
    await assert.rejects(guard, Forbidden)
  })

  test('refuse someone who lost another application', async ({ assert }) => {
    const [application, other] = [await anApplication(), await anApplication()]
    const email = await anAdministratorOf(application)
    await ApplicationAdmin.create({ email, applicationId: other.id })
    const guard = await guardsOf(email, 'edit', { appCode: application.code })
    await guard()
    await ApplicationAdmin.query().where({ email, applicationId: other.id }).delete()
    await assert.rejects(guard, Forbidden)
  })

  test('accept someone who has more access than before', async () => {
    const application = await anApplication()
    const email = await anAdministratorOf(application)
    const guard = await guardsOf(email, 'edit', { appCode: application.code })
    await guard()
    await SuperAdmin.create({ email })
    await guard()
  })

  test('notice the loss of an application for changes of templates', async ({ assert, client }) => {
    const application = await anApplication()
    const email = await anAdministratorOf(application)
    const template = await aTemplate(await aType(application), {})
    const ctx = await aChange(email, { id: String(template.id) })
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

  test('are not repeated because of many changes of others', async ({ assert }) => {
    const application = await anApplication()
    const email = await anAdministratorOf(application)
    const ctx = await aChange(email, { appCode: application.code })
    await new PanelMiddleware().handle(ctx, next, 'edit')
    const change = (concerned: string) =>
      accessTransaction(async (_trx, changed) => changed({ email: concerned }))
    for (let other = 0; other < 120; other++) await change(uniqueEmail())
    assert.isFalse(await ctx.guarded!.hasChanged(db.connection()))
    await change(email)
    assert.isTrue(await ctx.guarded!.hasChanged(db.connection()))
  })

  test('notice that a key was revoked', async ({ assert, client }) => {
    const application = await anApplication()
    const { text, id } = await aKeyOf(application)
    const ctx = await aChange(uniqueEmail(), { appCode: application.code })
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
