import { readFile } from 'node:fs/promises'
import app from '@adonisjs/core/services/app'
import type { Source } from '#core/pages/error_page'

interface Description {
  paths: Record<string, Record<string, { 'summary': string; 'x-errors': string[] }>>
}

let text: Promise<string> | undefined
let sources: Map<string, Source[]> | undefined

export function writtenDescription(): Promise<string> {
  return (text ??= readFile(app.makePath('docs/reference/openapi.json'), 'utf8'))
}

export async function operationsAnswering(code: string): Promise<Source[]> {
  sources ??= byCode(JSON.parse(await writtenDescription()))
  return sources.get(code) ?? []
}

function byCode({ paths }: Description): Map<string, Source[]> {
  const found = new Map<string, Source[]>()
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const source = { method: method.toUpperCase(), path, summary: operation.summary }
      for (const code of operation['x-errors']) {
        found.set(code, [...(found.get(code) ?? []), source])
      }
    }
  }
  return found
}
