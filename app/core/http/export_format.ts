import type { HttpContext } from '@adonisjs/core/http'

const MEDIA_TYPES = ['application/json', 'text/csv', 'application/x-ndjson'] as const

/** How a list of entries is sent. */
export type ExportFormat = 'json' | 'csv' | 'ndjson'

const FORMATS: Record<string, ExportFormat> = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
}

export const MEDIA_TYPE = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
} as const

/** JSON, unless the request prefers another form. */
export function exportFormat({ request }: HttpContext): ExportFormat {
  const preferred = request.accepts([...MEDIA_TYPES])
  return (preferred && FORMATS[preferred]) || 'json'
}
