import { type Session, unwrapData } from '../session.ts'
import { readSamples } from './samples.ts'
import type { Sample, TemplateMetadata, TemplateTexts, TypeMetadata, Version } from './texts.ts'

type TemplateVariable = TemplateMetadata['variables'][number]

export interface RemoteTemplate extends TemplateTexts {
  id: number
}

export interface RemoteType {
  about: TypeMetadata
  samples: Sample[]
  templates: Map<string, RemoteTemplate>
}

export async function readRemote({ api }: Session, appCode: string) {
  const path = { appCode }
  const listed = await unwrapData(
    api.GET('/api/admin/notifications/types/{appCode}', { params: { path } })
  )
  const templates = await unwrapData(
    api.GET('/api/admin/notifications/templates/{appCodeOrId}', {
      params: { path: { appCodeOrId: appCode } },
    })
  )
  const types = new Map<string, RemoteType>(
    listed.map(({ id: _id, code, system: _system, urgent, digest, ...about }) => [
      code,
      {
        about: { ...about, ...(urgent && { urgent }), ...(digest && { digest }) },
        samples: [],
        templates: new Map(),
      },
    ])
  )
  for (const [code, type] of types) type.samples = await readSamples({ api }, appCode, code)
  for (const { id, type, key, name, description, variables } of templates) {
    const versions = await readVersions({ api }, id)
    const about = { name, description, variables: variables.map(withoutDefault) }
    types.get(type)?.templates.set(key, { id, about, versions })
  }
  return { types }
}

/** As people write it: `sensitive` only where it is true. */
function withoutDefault({ key, required, sensitive }: TemplateVariable): TemplateVariable {
  return { key, required, ...(sensitive && { sensitive }) }
}

async function readVersions({ api }: Pick<Session, 'api'>, id: number) {
  const path = '/api/admin/notifications/templates/{id}/locales'
  const listed = await unwrapData(api.GET(path, { params: { path: { id } } }))
  return new Map<string, Version>(
    listed.map(({ locale, subjectTemplate, bodyTemplate }) => [
      locale,
      { subjectTemplate, bodyTemplate },
    ])
  )
}
