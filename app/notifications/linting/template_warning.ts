import { lineAt } from '#app/notifications/rendering/parse_template'
import type { VersionTexts } from '#app/notifications/preparation/prepare_texts'

export type TemplateWarningCode =
  | 'UNKNOWN_VARIABLE'
  | 'UNUSED_VARIABLE'
  | 'MISSING_VARIABLE'
  | 'NO_TEXT_ALTERNATIVE'
  | 'MESSAGE_TOO_LARGE'
  | 'INSECURE_LINK'
  | 'RELATIVE_LINK'
  | 'EMBEDDED_IMAGE'
  | 'IMAGE_WITHOUT_ALT'
  | 'LOW_CONTRAST'

/** A problem that does not prevent saving or sending (notifications.md#warnings). */
export interface TemplateWarning {
  code: TemplateWarningCode
  /** For people */
  detail: string
  /** Null if it is about the message as a whole */
  field: keyof VersionTexts | null
  /** Counted from 1; null if there is no one place */
  line: number | null
  /** The variable, the beginning of the address, or the colours; null if it is about none */
  value: string | null
}

/** Of one kind, so that a response stays short. */
const MAX_OF_KIND = 25
const MAX_VALUE_LENGTH = 200

interface Place {
  field: keyof VersionTexts
  source: string
  position: number
}

interface About {
  at?: Place
  /** Without a place in it */
  field?: keyof VersionTexts
  value?: string
}

export class Warnings {
  readonly #found: TemplateWarning[] = []
  readonly #counts = new Map<TemplateWarningCode, number>()

  add(code: TemplateWarningCode, detail: string, { at, field = at?.field, value }: About) {
    const count = this.#counts.get(code) ?? 0
    if (count === MAX_OF_KIND) return
    this.#counts.set(code, count + 1)
    this.#found.push({
      code,
      detail,
      field: field ?? null,
      line: at ? lineAt(at.source, at.position) : null,
      value: value === undefined ? null : shortened(value),
    })
  }

  list(): TemplateWarning[] {
    return this.#found
  }
}

function shortened(value: string) {
  if (value.length <= MAX_VALUE_LENGTH) return value
  return `${value.slice(0, MAX_VALUE_LENGTH).toWellFormed()}…`
}
