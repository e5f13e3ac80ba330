import type { ApiClient } from '@japa/api-client'
import { superAdmin, uniqueCode } from '#tests/helpers/people'

/** A brand made through the API, with a slug of its own. */
export async function aBrand(client: ApiClient, fields: object = {}) {
  const slug = uniqueCode('brand')
  const response = await superAdmin(client).post('/api/admin/brands', {
    slug,
    name: `Brand ${slug}`,
    ...fields,
  })
  response.assertStatus(201)
  return response.body().data
}

/** A language code no other test uses: `x` and seven letters. */
export function uniqueLanguage() {
  const letters = Array.from({ length: 7 }, () => Math.floor(Math.random() * 26) + 97)
  return `x${String.fromCharCode(...letters)}`
}

/** A language made through the API. */
export async function aLanguage(client: ApiClient, fields: object = {}) {
  const response = await superAdmin(client).post('/api/admin/languages', {
    code: uniqueLanguage(),
    name: 'A language',
    ...fields,
  })
  response.assertStatus(201)
  return response.body().data
}
