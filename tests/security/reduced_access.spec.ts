import { HttpContextFactory, RequestFactory } from '@adonisjs/core/factories/http'
import { test } from '@japa/runner'
import { PANEL_ADMIN_ROLE } from '#app/applications/values/panel'
import { Forbidden } from '#app/auth/exceptions'
import PanelMiddleware, { type PanelRequirement } from '#app/auth/middleware/panel_middleware'
import { TemplateNotFound } from '#app/notifications/exceptions'
import TemplatePanelMiddleware from '#app/notifications/middleware/template_panel_middleware'
import ApplicationAdmin from '#app/permissions/models/application_admin'
import SuperAdmin from '#app/permissions/models/super_admin'
import UserRole from '#app/permissions/models/user_role'
import { hasRole, removeOtherSuperAdmins } from '#tests/access/callers'
import { aTemplate, aType } from '#tests/helpers/deliveries'
import { anAdministratorOf, anApplication, uniqueEmail } from '#tests/helpers/people'

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

  test('are noted for changes of templates', async ({ assert }) => {
    const application = await anApplication()
    const email = await anAdministratorOf(application)
    const template = await aTemplate(await aType(application), {})
    const ctx = aChange(email, { id: String(template.id) })
    const guard = () => new TemplatePanelMiddleware().handle(ctx, next, 'edit')
    await guard()
    assert.isAbove(ctx.guarded!.revision, 0)
    await ApplicationAdmin.query().where({ email }).delete()
    await assert.rejects(guard, TemplateNotFound)
  })
})
