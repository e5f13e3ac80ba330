import { type CheckBody, inPath, overridesPath } from '#tests/helpers/management'
import { uniqueCode, uniqueEmail } from '#tests/helpers/people'
import type { Remote } from '#tests/helpers/remote'

/** Gives a person a permission; returns a check of it and a function that revokes it. */
type Revocation = (service: Remote) => Promise<{
  question: CheckBody
  revoke: (service: Remote) => Promise<unknown>
}>

const ORDER = ['order', '1'] as const
const onOrder = { resourceType: ORDER[0], resourceId: ORDER[1] }

async function anApplicationOn(service: Remote) {
  const app = uniqueCode()
  const tree = `/api/applications/${app}`
  await service.post('/api/applications', { code: app, name: app })
  const permission = await service.post(`${tree}/permissions`, { code: 'p', type: 'binary' })
  const email = uniqueEmail()
  return { app, tree, email, permission, question: { email, app, permission: 'p' } }
}

/** A person who has the permission by a role. */
async function aClerkOn(service: Remote) {
  const shop = await anApplicationOn(service)
  const role = await service.post(`${shop.tree}/roles`, { code: 'clerk' })
  const permissions = [{ permissionId: shop.permission.id, accessLevel: 'allowed' }]
  await service.put(`${shop.tree}/roles/${role.id}/permissions`, { permissions })
  const rolesPath = `/api/users/${inPath(shop.email)}/apps/${shop.app}/roles`
  await service.put(rolesPath, { roleIds: [role.id] })
  return { ...shop, rolePath: `${shop.tree}/roles/${role.id}`, rolesPath }
}

/** A person who has the permission by an override on one order. */
async function aGuestOn(service: Remote) {
  const shop = await anApplicationOn(service)
  const overrides = overridesPath(shop.email, shop.app, ...ORDER)
  const permissions = [{ permissionId: shop.permission.id, granted: true }]
  await service.put(overrides, { permissions })
  return { ...shop, overrides, question: { ...shop.question, ...onOrder } }
}

/** Every way to lose a permission (checks.md#cache-invalidation), over HTTP. */
export const REVOCATIONS: Record<string, Revocation> = {
  async 'the role is removed from the user'(at) {
    const { question, rolesPath } = await aClerkOn(at)
    return { question, revoke: (service) => service.put(rolesPath, { roleIds: [] }) }
  },
  async 'the permission is removed from the role'(at) {
    const { question, rolePath } = await aClerkOn(at)
    const path = `${rolePath}/permissions`
    return { question, revoke: (service) => service.put(path, { permissions: [] }) }
  },
  async 'the role is deleted'(at) {
    const { question, rolePath } = await aClerkOn(at)
    return { question, revoke: (service) => service.delete(rolePath) }
  },
  async 'the permission is deleted'(at) {
    const { question, tree, permission } = await aClerkOn(at)
    const path = `${tree}/permissions/${permission.id}`
    return { question, revoke: (service) => service.delete(path) }
  },
  async 'the permission gets another code'(at) {
    const { question, tree, permission } = await aClerkOn(at)
    const path = `${tree}/permissions/${permission.id}`
    return {
      question,
      revoke: (service) => service.put(`${path}?rename=true`, { code: 'renamed' }),
    }
  },
  async 'a deny is set on the resource'(at) {
    const { question, permission, email, app } = await aClerkOn(at)
    const path = overridesPath(email, app, ...ORDER)
    const permissions = [{ permissionId: permission.id, granted: false }]
    return {
      question: { ...question, ...onOrder },
      revoke: (service) => service.put(path, { permissions }),
    }
  },
  async 'the grant on the resource is removed'(at) {
    const { question, overrides } = await aGuestOn(at)
    return { question, revoke: (service) => service.put(overrides, { permissions: [] }) }
  },
  async 'the permission becomes global, so that the grant is ignored'(at) {
    const { question, tree, permission } = await aGuestOn(at)
    const path = `${tree}/permissions/${permission.id}`
    return { question, revoke: (service) => service.put(`${path}?force=true`, { global: true }) }
  },
  async 'the administrator is removed'(at) {
    const { question, app, email } = await anApplicationOn(at)
    await at.post(`/api/users/admins/apps/${app}`, { email })
    const path = `/api/users/admins/apps/${app}/${inPath(email)}`
    return { question, revoke: (service) => service.delete(path) }
  },
  async 'the super admin is removed'(at) {
    const { question, email } = await anApplicationOn(at)
    await at.post('/api/users/admins', { email })
    const path = `/api/users/admins/${inPath(email)}`
    return { question, revoke: (service) => service.delete(path) }
  },
  async 'the user is deactivated'(at) {
    const { question, email } = await aClerkOn(at)
    return { question, revoke: (service) => service.webhook('user.deactivated', email) }
  },
  async 'the user is removed'(at) {
    const { question, email } = await aClerkOn(at)
    return { question, revoke: (service) => service.webhook('user.removed', email) }
  },
  async 'the application is deleted'(at) {
    const { question, tree } = await aClerkOn(at)
    return { question, revoke: (service) => service.delete(tree) }
  },
}
