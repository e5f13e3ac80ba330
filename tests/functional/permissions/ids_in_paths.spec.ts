import { test } from '@japa/runner'
import { anApplication, superAdmin } from '#tests/helpers/people'

type Method = 'get' | 'put' | 'delete'

/** Every route with an id in its path, and its problem code for an unknown id. */
const ENDPOINTS: { method: Method; path: string; code: string; body?: object }[] = [
  { method: 'get', path: 'entities/{id}', code: 'ENTITY_NOT_FOUND' },
  { method: 'put', path: 'entities/{id}', code: 'ENTITY_NOT_FOUND', body: { name: 'New' } },
  { method: 'delete', path: 'entities/{id}', code: 'ENTITY_NOT_FOUND' },
  { method: 'put', path: 'instances/{id}', code: 'INSTANCE_NOT_FOUND', body: { name: 'New' } },
  { method: 'delete', path: 'instances/{id}', code: 'INSTANCE_NOT_FOUND' },
  { method: 'get', path: 'permissions/{id}', code: 'PERMISSION_NOT_FOUND' },
  { method: 'put', path: 'permissions/{id}', code: 'PERMISSION_NOT_FOUND', body: {} },
  { method: 'delete', path: 'permissions/{id}', code: 'PERMISSION_NOT_FOUND' },
  { method: 'get', path: 'roles/{id}', code: 'ROLE_NOT_FOUND' },
  { method: 'put', path: 'roles/{id}', code: 'ROLE_NOT_FOUND', body: {} },
  { method: 'delete', path: 'roles/{id}', code: 'ROLE_NOT_FOUND' },
  { method: 'get', path: 'roles/{id}/permissions', code: 'ROLE_NOT_FOUND' },
  {
    method: 'put',
    path: 'roles/{id}/permissions',
    code: 'ROLE_NOT_FOUND',
    body: { permissions: [] },
  },
]

const NO_IDS = [
  '0',
  '-1',
  '+1',
  '1.0',
  '1e3',
  '0x10',
  '%201',
  '1%00',
  'abc',
  'null',
  '__proto__',
  '9007199254740992',
  '99999999999999999999',
  '%EF%BC%91',
]

/** Valid ids that no row has. */
const UNKNOWN_IDS = ['2147483647', '2147483648', '4294967296', '9007199254740991']

test.group('Ids in paths', () => {
  test('{method} {path} refuses an id that is not a positive safe integer')
    .with(ENDPOINTS)
    .run(async ({ client }, { method, path, body }) => {
      const { code } = await anApplication()
      const admin = superAdmin(client)
      for (const id of NO_IDS) {
        const target = `/api/applications/${code}/${path.replace('{id}', id)}`
        const response = await (method === 'put' ? admin.put(target, body) : admin[method](target))
        response.assertProblem(400, 'VALIDATION_ERROR')
      }
    })

  test('{method} {path} does not find an unknown id, however large')
    .with(ENDPOINTS)
    .run(async ({ client }, { method, path, code, body }) => {
      const application = await anApplication()
      const admin = superAdmin(client)
      for (const id of UNKNOWN_IDS) {
        const target = `/api/applications/${application.code}/${path.replace('{id}', id)}`
        const response = await (method === 'put' ? admin.put(target, body) : admin[method](target))
        response.assertProblem(404, code)
      }
    })
})
