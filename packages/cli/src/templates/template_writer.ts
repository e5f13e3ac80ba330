import { unwrap } from '@concierge/client'
import { type Session, unwrapData } from '../session.ts'
import type { TemplateWarning } from './describe_warning.ts'
import type { Sample, TemplateMetadata, TypeMetadata, Version } from './texts.ts'

const TYPES = '/api/admin/notifications/types/{appCode}'
const TYPE = '/api/admin/notifications/types/{appCode}/{type}'
const SAMPLES = '/api/admin/notifications/types/{appCode}/{type}/samples'
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

  async createType(code: string, about: TypeMetadata): Promise<void> {
    const params = { path: { appCode: this.#appCode } }
    await unwrapData(this.#api.POST(TYPES, { params, body: { ...about, code } }))
  }

  async updateType(type: string, about: TypeMetadata): Promise<void> {
    const params = { path: { appCode: this.#appCode, type } }
    const body = { urgent: false, digest: null, ...about }
    await unwrapData(this.#api.PUT(TYPE, { params, body }))
  }

  async saveSamples(type: string, samples: Sample[]): Promise<void> {
    const params = { path: { appCode: this.#appCode, type } }
    await unwrapData(this.#api.PUT(SAMPLES, { params, body: { samples } }))
  }

  /** @returns the template's id */
  async createTemplate(type: string, key: string, about: TemplateMetadata) {
    const params = { path: { appCode: this.#appCode, type } }
    const created = await unwrapData(this.#api.POST(TEMPLATES, { params, body: { ...about, key } }))
    return created.id
  }

  async updateTemplate(id: number, body: TemplateMetadata): Promise<void> {
    const params = { path: { appCodeOrId: id } }
    await unwrapData(this.#api.PUT(TEMPLATE, { params, body }))
  }

  async deleteTemplate(id: number): Promise<void> {
    const params = { path: { appCodeOrId: id } }
    await unwrap(this.#api.DELETE(TEMPLATE, { params }))
  }

  async saveVersion(id: number, locale: string, body: Version): Promise<TemplateWarning[]> {
    const saved = await unwrapData(
      this.#api.PUT(VERSION, { params: { path: { id, locale } }, body })
    )
    return saved.warnings
  }

  async deleteVersion(id: number, locale: string): Promise<void> {
    await unwrap(this.#api.DELETE(VERSION, { params: { path: { id, locale } } }))
  }
}
