import { belongsTo, column, hasMany } from '@adonisjs/lucid/orm'
import type { BelongsTo, HasMany } from '@adonisjs/lucid/types/relations'
import { UserSchema } from '#database/schema'
import Brand from '#app/platform/models/brand'
import { UserNotFound } from '#app/profiles/exceptions'
import ApplicationPreference from '#app/profiles/models/application_preference'
import type { Theme } from '#app/profiles/values/theme'

/**
 * A person, known by their e-mail address: the user record (who they are at the identity provider, whether they are
 * active) and the profile in one row (ADR 0002).
 */
export default class User extends UserSchema {
  @column()
  declare theme: Theme

  @belongsTo(() => Brand)
  declare brand: BelongsTo<typeof Brand>

  @hasMany(() => ApplicationPreference)
  declare preferences: HasMany<typeof ApplicationPreference>

  /** @throws UserNotFound */
  static async withEmail(email: string): Promise<User> {
    const user = await this.findBy({ email })
    if (!user) throw new UserNotFound()
    return user
  }

  /** What to call the person: the display name, else first and last name, else the local part of the address. */
  get calledName(): string {
    const fullName = [this.firstName, this.lastName].filter(Boolean).join(' ')
    return this.displayName || fullName || this.email.slice(0, this.email.lastIndexOf('@'))
  }
}
