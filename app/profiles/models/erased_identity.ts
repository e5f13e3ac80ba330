import { DateTime } from 'luxon'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { toDatabaseTimestamp } from '#core/database/columns'
import { secrets } from '#core/secrets'
import { ErasedIdentitySchema } from '#database/schema'

const PURPOSE = 'profiles.erased_identity'

export interface ErasedStatus {
  /** Whether the user may return as active. */
  active: boolean
  /** Whether the provider has removed the account, which is final. */
  removed?: boolean
}

/** An erased address or account, by a keyed fingerprint (profiles.md#after-an-erasure). */
export default class ErasedIdentity extends ErasedIdentitySchema {
  static fingerprintOf(identity: string): string {
    return secrets.fingerprint(identity, PURPOSE)
  }

  /** By the current key and by previous ones. */
  static fingerprintsOf(identity: string): string[] {
    return secrets.fingerprints(identity, PURPOSE)
  }

  /** The erased ones among these addresses and accounts. */
  static async of(identities: string[], client?: QueryClientContract) {
    const fingerprints = new Map(
      identities.flatMap((one) => this.fingerprintsOf(one).map((fingerprint) => [fingerprint, one]))
    )
    const rows = await this.query({ client }).whereIn('fingerprint', [...fingerprints.keys()])
    return new Map(rows.map((row) => [fingerprints.get(row.fingerprint)!, row]))
  }

  static findAccount(subject: string, client: QueryClientContract) {
    return this.query({ client }).whereIn('fingerprint', this.fingerprintsOf(subject)).first()
  }

  /** @param identities the status of each address and account */
  static async remember(
    identities: Map<string, ErasedStatus>,
    erasedAt: string,
    client: QueryClientContract
  ) {
    const known = [...identities.keys()].flatMap((one) => this.fingerprintsOf(one))
    await client.from('erased_identities').whereIn('fingerprint', known).delete()
    const createdAt = toDatabaseTimestamp(DateTime.utc())
    const rows = [...identities].map(([one, { active, removed = false }]) => ({
      fingerprint: this.fingerprintOf(one),
      active,
      removed,
      erased_at: erasedAt,
      created_at: createdAt,
    }))
    await client
      .table('erased_identities')
      .multiInsert(rows)
      .onConflict('fingerprint')
      .merge(['active', 'removed', 'erased_at'])
  }
}
