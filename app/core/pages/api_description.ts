import { readFile } from 'node:fs/promises'
import app from '@adonisjs/core/services/app'
import type { ProblemSource } from '#core/pages/error_page'

interface Description {
  paths: Record<string, Record<string, { 'summary': string; 'x-errors': string[] }>>
}

let text: Promise<string> | undefined
let sources: Map<string, ProblemSource[]> | undefined

export function readApiDescription(): Promise<string> {
  return (text ??= readFile(app.makePath('docs/reference/openapi.json'), 'utf8'))
}

export async function operationsReturning(code: string): Promise<ProblemSource[]> {
  sources ??= byCode(JSON.parse(await readApiDescription()))
  return sources.get(code) ?? []
}

function byCode({ paths }: Description): Map<string, ProblemSource[]> {
  const found = new Map<string, ProblemSource[]>()
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
