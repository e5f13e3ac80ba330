import type { ApiClient } from '@japa/api-client'
import { superAdmin, uniqueCode } from '#tests/helpers/people'

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

/** A unique code: `x` and seven letters. */
export function uniqueLanguage() {
  const letters = Array.from({ length: 7 }, () => Math.floor(Math.random() * 26) + 97)
  return `x${String.fromCharCode(...letters)}`
}

export async function aLanguage(client: ApiClient, fields: object = {}) {
  const response = await superAdmin(client).post('/api/admin/languages', {
    code: uniqueLanguage(),
    name: 'A language',
    ...fields,
  })
  response.assertStatus(201)
  return response.body().data
}
