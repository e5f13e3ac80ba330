import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { changingAccess } from '#core/database/changing_access'
import { requireRoom } from '#core/database/require_room'
import { serialize } from '#core/database/serialize'
import { unlessTaken } from '#core/database/unique'
import { requireKnownLanguages } from '#app/platform/actions/require_known_languages'
import ApplicationCreated from '#app/applications/events/application_created'
import { ApplicationExists, TooManyApplications } from '#app/applications/exceptions'
import Application from '#app/applications/models/application'
import type { Membership } from '#app/applications/values/membership'

export const MAX_APPLICATIONS = 10_000

export interface NewApplication {
  code: string
  name: string
  description?: string | null
  supportedLanguages?: string[]
  membership?: Membership
  /** Whether its broadcasts reach addresses without a user record. */
  outsideRecipients?: boolean
}

/**
 * Creates an application with what every application has.
 *
 * @throws ApplicationExists, TooManyApplications, UnknownLanguages
 */
export async function createApplication(input: NewApplication): Promise<Application> {
  await requireKnownLanguages(input.supportedLanguages ?? [])
  return unlessTaken(ApplicationExists, () =>
    changingAccess(async (trx, changed) => {
      changed({ application: input.code })
      await serialize(trx, 'applications')
      await requireRoom(Application.query({ client: trx }), MAX_APPLICATIONS, TooManyApplications)
      return insertApplication(input, trx)
    })
  )
}

/** The same within a transaction, for seeds. */
export async function insertApplication(input: NewApplication, trx: TransactionClientContract) {
  const application = await Application.create(
    {
      code: input.code,
      name: input.name,
      description: input.description ?? null,
      supportedLanguages: [...new Set(input.supportedLanguages)],
      membership: input.membership ?? 'open',
      outsideRecipients: input.outsideRecipients ?? false,
    },
    { client: trx }
  )
  await ApplicationCreated.dispatch(application, trx)
  return application
}
