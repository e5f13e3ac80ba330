import { TransactionConflict } from '#core/database/transaction'
import { LanguageNotFound } from '#app/platform/exceptions'
import Language from '#app/platform/models/language'
import { preparation } from '#app/notifications/preparation/preparation'
import type { PreparedTexts, VersionTexts } from '#app/notifications/preparation/prepare_texts'
import { atPlace } from '#app/policies/values/at_place'
import type { PolicyChange } from '#app/policies/values/policy_changes'
import type { PolicyDocument } from '#app/policies/values/policy_document'
import { entryId } from '#app/policies/values/policy_entries'

/** Texts compiled before the transaction, which would otherwise hold its locks for too long. */
export class PreparedVersions {
  readonly #fields = new Map<string, PreparedTexts>()

  set(texts: VersionTexts, fields: PreparedTexts) {
    this.#fields.set(keyOf(texts), fields)
  }

  /** @throws TransactionConflict if the texts began to differ from the stored ones only now */
  of(texts: VersionTexts): PreparedTexts {
    const fields = this.#fields.get(keyOf(texts))
    if (!fields) throw new TransactionConflict('A template was changed at the same time')
    return fields
  }
}

const keyOf = ({ subjectTemplate, bodyTemplate }: VersionTexts) =>
  JSON.stringify([subjectTemplate, bodyTemplate])

interface Preparing {
  wanted: PolicyDocument
  changes: PolicyChange[]
  places: ReadonlyMap<string, string>
  /** Texts of different authors take turns. */
  author: string
}

/**
 * Compiles the texts that changes save.
 * @throws LanguageNotFound, TemplateSyntax, TemplateTooComplex, RateLimited, Overloaded
 */
export async function prepareVersions({ wanted, changes, places, author }: Preparing) {
  const saved = changes.filter(
    ({ kind, action }) => kind === 'templateVersion' && action !== 'remove'
  )
  const unknown = new Set(await Language.findUnknownCodes(saved.map(({ key }) => key[2])))
  const prepared = new PreparedVersions()
  for (const change of saved) {
    await atPlace(places.get(entryId(change)), async () => {
      const [, , locale] = change.key
      if (unknown.has(locale)) {
        throw new LanguageNotFound({ detail: `Language ${locale} does not exist` })
      }
      const texts = textsOf(wanted, change.key)
      prepared.set(texts, await preparation.prepare(texts, author))
    })
  }
  return prepared
}

/** The texts of the version with this key in a document. */
export function textsOf({ notificationTypes }: PolicyDocument, [type, key, locale]: string[]) {
  const { templates } = notificationTypes!.find(({ code }) => code === type)!
  const { versions } = templates.find((template) => template.key === key)!
  return versions.find((version) => version.locale === locale)!
}
