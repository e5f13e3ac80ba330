import { DEVELOPMENT_ACCOUNTS, DEVELOPMENT_ORGANISATION } from '#development/identity_provider/main'

export const DEMO_APPLICATION = 'demo'
export const DEMO_PERMISSION = 'documents'

interface Client {
  serviceUrl: string
  token: string
}

type Resource = { id: number; code: string }

const [, { email: administrator }, { email: reader }] = DEVELOPMENT_ACCOUNTS

/**
 * Creates a demo application through the API, unless it exists: a permission, a role, an
 * administrator and a reader.
 */
export async function createDemo(client: Client) {
  const existing = await send(client, 'GET', `/applications/${DEMO_APPLICATION}`)
  if (existing.status !== 404) return
  await create(client, '/applications', { code: DEMO_APPLICATION, name: 'Demo' })
  const application = `/applications/${DEMO_APPLICATION}`
  const documents = await create(client, `${application}/permissions`, {
    code: DEMO_PERMISSION,
    type: 'tiered',
    groupName: 'Documents',
    description: 'View or edit documents',
  })
  const role = await create(client, `${application}/roles`, { code: 'reader' })
  await send(client, 'PUT', `${application}/roles/${role.id}/permissions`, {
    permissions: [{ permissionId: documents.id, accessLevel: 'view' }],
  })
  await send(client, 'PUT', `/users/${reader}/apps/${DEMO_APPLICATION}/roles`, {
    roleIds: [role.id],
  })
  await send(client, 'POST', `/users/admins/apps/${DEMO_APPLICATION}`, { email: administrator })
}

/** Sets up the mails of the development provider; at a later start, this changes nothing. */
export async function connectMail(client: Client) {
  await send(client, 'POST', '/admin/brands', {
    slug: 'acme',
    name: 'Acme',
    idpOrgId: DEVELOPMENT_ORGANISATION.id,
    appearance: { primaryColor: '#0b7285' },
  })
  await send(client, 'POST', '/idp/admin/notification-provider/setup', {})
}

async function create(client: Client, path: string, body: object): Promise<Resource> {
  const response = await send(client, 'POST', path, body)
  const result = (await response.json()) as { data: Resource }
  if (!response.ok)
    throw new Error(`The demo could not be created: POST ${path} ${response.status}`)
  return result.data
}

function send({ serviceUrl, token }: Client, method: string, path: string, body?: object) {
  return fetch(`${serviceUrl}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
  })
}
