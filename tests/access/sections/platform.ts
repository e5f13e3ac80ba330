import UserPool from '#app/platform/models/user_pool'
import type { Body, BodyInScene, SectionAccess } from '#tests/access/section_access'
import { uniqueCode } from '#tests/helpers/people'
import { aBrand, aLanguage, uniqueLanguage } from '#tests/helpers/platform'
import { DKIM } from '#tests/world/prepare'

/** With the fields that only a super admin may set. */
const brandWithSender: BodyInScene = () => ({
  slug: uniqueCode('brand'),
  name: 'Brand',
  idpOrgId: uniqueCode('organisation'),
  isDefault: false,
  emailFrom: 'shop@acme.example',
  emailFromName: 'Shop',
  replyTo: 'help@acme.example',
  smtp: { host: 'mail.acme.example', port: 587, secure: false, user: 'shop', password: 'secret' },
  dkim: { domain: 'acme.example', selector: 's1', privateKey: DKIM.privateKey },
  appearance: {
    primaryColor: '#112233',
    backgroundColor: '#ffffff',
    fontColor: '#000',
    logoUrl: 'https://acme.example/logo.png',
    iconUrl: 'https://acme.example/icon.png',
  },
})

const brand: Body = () => ({ slug: uniqueCode('brand'), name: 'Brand' })

const language = { name: 'A language', fallback: 'en', enabled: true }

const pool: Body = () => ({
  slug: uniqueCode('pool'),
  name: 'Pool',
  organisations: [uniqueCode('organisation')],
})

const poolOfBrand: BodyInScene = async ({ client, application }) => ({
  ...pool(application.code),
  brandId: (await aBrand(client)).id,
})

export default {
  parameters: {
    'brands/:id': async ({ client }) => (await aBrand(client)).id,
    'languages/:code': async ({ client }) => (await aLanguage(client)).code,
    'user-pools/:id': async () => (await UserPool.create({ slug: uniqueCode(), name: 'Pool' })).id,
  },
  routes: {
    'GET /api/admin/brands': 'panel',
    'POST /api/admin/brands': ['global', brand, brandWithSender],
    'GET /api/admin/brands/:id': 'panel',
    'PUT /api/admin/brands/:id': ['global', brand, brandWithSender],
    'DELETE /api/admin/brands/:id': 'global',
    'GET /api/admin/languages': 'panel',
    'POST /api/admin/languages': ['global', () => ({ code: uniqueLanguage(), ...language })],
    'PUT /api/admin/languages/:code': ['global', () => language],
    'DELETE /api/admin/languages/:code': 'global',
    'GET /api/admin/user-pools': 'panel',
    'POST /api/admin/user-pools': ['global', pool, poolOfBrand],
    'PUT /api/admin/user-pools/:id': ['global', pool, poolOfBrand],
    'DELETE /api/admin/user-pools/:id': 'global',
  },
} satisfies SectionAccess
