import { containing } from '#core/database/filter_by_text'
import type { AccessScope } from '#core/events/access_changed'
import { AccessChangeSchema } from '#database/schema'

/** Whose decisions a change may have altered (changes.md#retention-of-changes). */
export default class AccessChange extends AccessChangeSchema {
  static about(email: string) {
    return this.query().whereRaw("scopes like ? escape '\\'", [containing(JSON.stringify(email))])
  }

  /** A change can name several users. */
  scopesOf(email: string): AccessScope[] {
    return (JSON.parse(this.scopes) as AccessScope[]).filter((scope) => scope.email === email)
  }
}
