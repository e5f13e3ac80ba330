import type { Service } from './world.ts'

const APP = 'shop'

/** Requests that change something each time, by what they change. */
export async function prepareWrites({ send }: Service) {
  const path = `/applications/${APP}`
  const create = async (kind: string, body: object) =>
    (await send('POST', kind, body)) as { id: number }
  await create('/applications', { code: APP, name: 'Shop' })
  const roles = [
    await create(`${path}/roles`, { code: 'clerk' }),
    await create(`${path}/roles`, { code: 'seller' }),
  ]
  const permission = await create(`${path}/permissions`, { code: 'orders', type: 'tiered' })
  const user = '/users/alan%40acme.example/apps/shop'
  return {
    'a role': (index: number) =>
      send('PUT', `${path}/roles/${roles[0].id}`, { name: `Clerk ${index}` }),
    'roles of a user': (index: number) =>
      send('PUT', `${user}/roles`, { roleIds: [roles[index % 2].id] }),
    'permissions of a role': (index: number) =>
      send('PUT', `${path}/roles/${roles[0].id}/permissions`, {
        permissions: [{ permissionId: permission.id, accessLevel: levelOf(index) }],
      }),
    'overrides of a user': (index: number) =>
      send('PUT', `${user}/resources/order/1/permissions`, {
        permissions: [{ permissionId: permission.id, granted: true, accessLevel: levelOf(index) }],
      }),
  }
}

const levelOf = (index: number) => (index % 2 === 0 ? 'view' : 'edit')
