import type { LucidModel, ModelQueryBuilderContract } from '@adonisjs/lucid/types/model'

/** Keeps rows with the text in one of the columns, in any case. Wildcards are matched literally. */
export function filterByText<Model extends LucidModel, Row>(
  query: ModelQueryBuilderContract<Model, Row>,
  columns: readonly string[],
  text: string
) {
  void query.where((rows) => {
    for (const pattern of likePatterns(text)) {
      for (const column of columns) {
        void rows.orWhereRaw(`lower(${column}) like ? escape '\\'`, [pattern])
      }
    }
  })
}

/** Patterns for `lower(…) like`, with the backslash as `escape`. */
export function likePatterns(text: string): string[] {
  return [...caseVariants(text)].map(containing)
}

/** A pattern for `like`, with the backslash as `escape`. */
export const containing = (text: string): string => `${endingWith(text)}%`

/** The same for texts that end with it. */
export const endingWith = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}`

/** The database lower-cases only ASCII letters, so this searches for the usual forms of others. */
function caseVariants(text: string): Set<string> {
  const lower = text.toLowerCase()
  const capitalised = lower.replace(/(?<![\p{L}\p{M}])\p{L}/gu, (letter) => letter.toUpperCase())
  const variants = [text, lower, capitalised, text.toUpperCase()]
  return new Set(variants.map((each) => each.replace(/[A-Z]/g, (letter) => letter.toLowerCase())))
}
