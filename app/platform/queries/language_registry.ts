import { PreparedQuery } from '#core/database/prepared_query'

interface LanguageRow {
  code: string
  fallback: string | null
  enabled: boolean | number
}

export const languageRegistry = new PreparedQuery<LanguageRow>(
  'language_registry',
  'select code, fallback, enabled from languages'
)
