import { column } from '@adonisjs/lucid/orm'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { PanelSessionSchema } from '#database/schema'
import { toDatabaseTimestamp } from '#core/database/columns'
import { secrets } from '#core/secrets'
import type { SessionTokens } from '#app/auth/session/provider_client'
import panelConfig from '#config/panel'

const PURPOSE = 'panel-session'

/** A browser that is signed in to the admin panel. */
export default class PanelSession extends PanelSessionSchema {
  @column({ serializeAs: null })
  declare secretHash: string

  @column({ serializeAs: null })
  declare browserHash: string | null

  @column({ serializeAs: null })
  declare tokens: string

  /** Those that have neither expired nor been idle for too long. */
  static current(client?: QueryClientContract) {
    const now = DateTime.utc()
    const idleSince = now.minus({ minutes: panelConfig.session.idleMinutes })
    return this.query({ client })
      .where('expiresAt', '>', toDatabaseTimestamp(now))
      .where('lastSeenAt', '>', toDatabaseTimestamp(idleSince))
  }

  /** Like `current`, for a row that has been read. */
  get isCurrent(): boolean {
    const now = DateTime.utc()
    const idleSince = now.minus({ minutes: panelConfig.session.idleMinutes })
    return this.expiresAt > now && this.lastSeenAt > idleSince
  }

  static encrypt(tokens: SessionTokens): string {
    return secrets.encrypt(JSON.stringify(tokens), PURPOSE)
  }

  /** Null if they were encrypted with an unknown key. */
  readTokens(): SessionTokens | null {
    const text = secrets.decrypt(this.tokens, PURPOSE)
    return text === null ? null : (JSON.parse(text) as SessionTokens)
  }
}
