import { unwrap } from '@concierge/client'
import { type Session, unwrapData } from '../session.ts'
import type { TemplateMetadata, TypeMetadata, Version } from './texts.ts'

const TYPES = '/api/admin/notifications/types/{appCode}'
const TYPE = '/api/admin/notifications/types/{appCode}/{type}'
const TEMPLATES = '/api/admin/notifications/types/{appCode}/{type}/templates'
const TEMPLATE = '/api/admin/notifications/templates/{appCodeOrId}'
const VERSION = '/api/admin/notifications/templates/{id}/locales/{locale}'

export class TemplateWriter {
  readonly #api: Session['api']
  readonly #appCode: string

  constructor({ api }: Session, appCode: string) {
    this.#api = api
    this.#appCode = appCode
  }

  createType(code: string, about: TypeMetadata) {
    const params = { path: { appCode: this.#appCode } }
    return unwrapData(this.#api.POST(TYPES, { params, body: { ...about, code } }))
  }

  updateType(type: string, body: TypeMetadata) {
    const params = { path: { appCode: this.#appCode, type } }
    return unwrapData(this.#api.PUT(TYPE, { params, body }))
  }

  /** @returns the template's id */
  async createTemplate(type: string, key: string, about: TemplateMetadata) {
    const params = { path: { appCode: this.#appCode, type } }
    const created = await unwrapData(this.#api.POST(TEMPLATES, { params, body: { ...about, key } }))
    return created.id
  }

  updateTemplate(id: number, body: TemplateMetadata) {
    const params = { path: { appCodeOrId: id } }
    return unwrapData(this.#api.PUT(TEMPLATE, { params, body }))
  }

  deleteTemplate(id: number) {
    const params = { path: { appCodeOrId: id } }
    return unwrap(this.#api.DELETE(TEMPLATE, { params }))
  }

  /** @returns warnings */
  async saveVersion(id: number, locale: string, body: Version) {
    const saved = await unwrapData(
      this.#api.PUT(VERSION, { params: { path: { id, locale } }, body })
    )
    return saved.warnings
  }

  deleteVersion(id: number, locale: string) {
    return unwrap(this.#api.DELETE(VERSION, { params: { path: { id, locale } } }))
  }
}
