import { unwrap } from '@concierge/client'
import { type Session, data } from '../session.ts'
import type { TemplateAbout, TypeAbout, Version } from './texts.ts'

const TYPES = '/api/admin/notifications/types/{appCode}'
const TYPE = '/api/admin/notifications/types/{appCode}/{type}'
const TEMPLATES = '/api/admin/notifications/types/{appCode}/{type}/templates'
const TEMPLATE = '/api/admin/notifications/templates/{appCodeOrId}'
const VERSION = '/api/admin/notifications/templates/{id}/locales/{locale}'

export class Writer {
  readonly #api: Session['api']
  readonly #appCode: string

  constructor({ api }: Session, appCode: string) {
    this.#api = api
    this.#appCode = appCode
  }

  createType(code: string, about: TypeAbout) {
    const params = { path: { appCode: this.#appCode } }
    return data(this.#api.POST(TYPES, { params, body: { ...about, code } }))
  }

  updateType(type: string, body: TypeAbout) {
    const params = { path: { appCode: this.#appCode, type } }
    return data(this.#api.PUT(TYPE, { params, body }))
  }

  /** @returns the template's id */
  async createTemplate(type: string, key: string, about: TemplateAbout) {
    const params = { path: { appCode: this.#appCode, type } }
    const created = await data(this.#api.POST(TEMPLATES, { params, body: { ...about, key } }))
    return created.id
  }

  updateTemplate(id: number, body: TemplateAbout) {
    const params = { path: { appCodeOrId: id } }
    return data(this.#api.PUT(TEMPLATE, { params, body }))
  }

  deleteTemplate(id: number) {
    const params = { path: { appCodeOrId: id } }
    return unwrap(this.#api.DELETE(TEMPLATE, { params }))
  }

  /** @returns warnings */
  async saveVersion(id: number, locale: string, body: Version) {
    const saved = await data(this.#api.PUT(VERSION, { params: { path: { id, locale } }, body }))
    return saved.warnings
  }

  deleteVersion(id: number, locale: string) {
    return unwrap(this.#api.DELETE(VERSION, { params: { path: { id, locale } } }))
  }
}
