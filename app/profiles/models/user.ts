import db from '@adonisjs/lucid/services/db'
import { beforeUpdate, column } from '@adonisjs/lucid/orm'
import type { ModelQueryBuilderContract } from '@adonisjs/lucid/types/model'
import type { BelongsTo, HasMany } from '@adonisjs/lucid/types/relations'
import { jsonColumn } from '#core/database/columns'
import { belongsTo, hasMany } from '#core/database/relations'
import { UserSchema } from '#database/schema'
import Brand from '#app/platform/models/brand'
import { UserNotFound } from '#app/profiles/exceptions'
import ApplicationPreference from '#app/profiles/models/application_preference'
import { type AccountState, accountIssuer } from '#app/profiles/values/account'
import { effectiveDisplayName, localPart } from '#app/profiles/values/names'
import type { QuietHours } from '#app/profiles/values/quiet_hours'
import type { Theme } from '#app/profiles/values/theme'

/** A user's record and profile, in one row (ADR 0002). */
export default class User extends UserSchema {
  @column()
  declare theme: Theme

  @jsonColumn()
  declare quietHours: QuietHours | null

  @belongsTo(() => Brand)
  declare brand: BelongsTo<typeof Brand>

  @hasMany(() => ApplicationPreference)
  declare preferences: HasMany<typeof ApplicationPreference>

  /** Whoever is reactivated signs in again (panel.md#sessions). */
  @beforeUpdate()
  static async endSessions(user: User) {
    if (user.$dirty.active !== false) return
    // A removal releases the record at the same time.
    const { idpUserId } = user.$original as Pick<User, 'idpUserId'>
    const sessions = (user.$trx ?? db.connection()).from('panel_sessions')
    if (idpUserId !== null) void sessions.where('subject', idpUserId)
    await sessions.orWhere('email', user.email).delete()
  }

  /** @throws UserNotFound */
  static async withEmail(email: string): Promise<User> {
    const user = await this.findBy({ email })
    if (!user) throw new UserNotFound()
    return user
  }

  /** Limits a query to the records of an account: one for each address it has had. */
  static boundTo<Query extends ModelQueryBuilderContract<typeof User>>(
    query: Query,
    subject: string
  ) {
    return query
      .where('idpUserId', subject)
      .where((own) => void own.whereNull('idpIssuer').orWhere('idpIssuer', accountIssuer))
  }

  isBoundTo(subject: string): boolean {
    return this.idpUserId === subject && (this.idpIssuer ?? accountIssuer) === accountIssuer
  }

  /** Those of the records that the same account has for other addresses that it has proved. */
  othersOfAccount(records: User[]): User[] {
    if (this.idpUserId === null) return []
    const issuer = this.idpIssuer ?? accountIssuer
    return records.filter(
      (one) =>
        one.email !== this.email &&
        one.identityVerified &&
        one.idpUserId === this.idpUserId &&
        (one.idpIssuer ?? accountIssuer) === issuer
    )
  }

  /** The account that has proved that the address is its own. */
  get provenAccount(): string | null {
    return this.identityVerified ? this.idpUserId : null
  }

  /** Whether an account that has proved the address can have the record. */
  canBindTo(subject: string): boolean {
    return this.idpUserId === null || !this.identityVerified || this.isBoundTo(subject)
  }

  /** Whether an account can reserve the record: nobody has proved the address or left it behind. */
  get isFree(): boolean {
    return !this.identityVerified || (this.idpUserId === null && this.active)
  }

  accountState(subject: string): AccountState {
    if (!this.isBoundTo(subject)) return 'conflict'
    return this.active ? 'active' : 'inactive'
  }

  /** Binds the record to an account that has proved the address. */
  bindTo(subject: string, organisationId: string | null) {
    if (!this.isBoundTo(subject)) this.discardUnverifiedIdentity()
    this.idpIssuer = accountIssuer
    this.idpUserId = subject
    this.idpOrgId = organisationId ?? this.idpOrgId
    this.identityVerified = true
    // Otherwise any later event of the account would activate it.
    if (!this.active) this.awaitsReactivation = true
  }

  /**
   * An inactive record stays inactive for the next account, unless it is inactive only because of
   * an account that never proved the address.
   */
  release() {
    this.#unbind()
    this.awaitsReactivation = !this.active && (this.identityVerified || this.awaitsReactivation)
  }

  /** Undoes what events of an account that never proved the address have done to the record. */
  discardUnverifiedIdentity() {
    if (this.identityVerified) return
    this.#unbind()
    this.identityVerified = true
    if (!this.awaitsReactivation) {
      this.active = true
      this.statusEventAt = null
    }
    this.firstName = this.lastName = this.displayName = null
    this.firstNameChangedAt = this.lastNameChangedAt = null
    this.displayNameChangedAt = this.namesChangedAt = null
  }

  #unbind() {
    this.idpIssuer = null
    this.idpUserId = null
    this.idpOrgId = null
  }

  /**
   * Makes the user active or inactive, until an event with a later position changes it.
   * @param position see `eventPosition`
   */
  changeStatus(active: boolean, position: string) {
    this.active = active
    this.statusEventAt = position
    if (active) this.awaitsReactivation = false
    // The status is no longer that of the account which has reserved the record.
    if (this.idpUserId === null) this.identityVerified = true
  }

  /** Makes the user inactive until someone or an event reactivates them, not just any event. */
  suspend(position: string) {
    this.changeStatus(false, position)
    this.awaitsReactivation = true
  }

  get effectiveDisplayName(): string {
    return effectiveDisplayName(this)
  }

  /** In messages, the names of an account that has not proved the address do not count. */
  get nameInMessages(): string {
    return this.identityVerified === false ? localPart(this.email) : this.effectiveDisplayName
  }
}
