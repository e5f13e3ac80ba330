import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { creationOf } from '#core/audit/audited_row'
import { recordChange } from '#core/audit/record_change'
import { accessTransaction } from '#core/database/access_transaction'
import { requireRoom } from '#core/database/require_room'
import { lockUntilCommit } from '#core/database/lock_until_commit'
import { mapUniqueViolation } from '#core/database/map_unique_violation'
import { requireKnownLanguages } from '#app/platform/actions/require_known_languages'
import ApplicationCreated from '#app/applications/events/application_created'
import { ApplicationExists, TooManyApplications } from '#app/applications/exceptions'
import Application from '#app/applications/models/application'
import { auditedApplication } from '#app/applications/transformers/audited_rows'
import { panelOverrides } from '#app/applications/queries/panel_overrides'
import { PANEL_APPLICATION } from '#app/applications/values/panel'
import { requireFreeSegment } from '#app/applications/values/reserved_codes'
import type { Membership } from '#app/applications/values/membership'

export const MAX_APPLICATIONS = 10_000

export interface NewApplication {
  code: string
  name: string
  description?: string | null
  supportedLanguages?: string[]
  membership?: Membership
  /** Whether broadcasts reach addresses without a user record. */
  outsideRecipients?: boolean
}

/** @throws ReservedCode, ApplicationExists, TooManyApplications, UnknownLanguages */
export async function createApplication(input: NewApplication): Promise<Application> {
  requireFreeSegment(input.code)
  await requireKnownLanguages(input.supportedLanguages ?? [])
  return mapUniqueViolation(ApplicationExists, () =>
    accessTransaction(async (trx, changed) => {
      changed({ application: input.code })
      changed({ application: PANEL_APPLICATION })
      await lockUntilCommit(trx, 'applications')
      await requireRoom(Application.query({ client: trx }), MAX_APPLICATIONS, TooManyApplications)
      return insertApplication(input, trx)
    })
  )
}

/** Creates an application within the transaction of a seed. */
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
  // From before they required the application to exist.
  await panelOverrides(input.code, trx).delete()
  await recordChange(trx, creationOf(auditedApplication(application)))
  await ApplicationCreated.dispatch(application, trx)
  return application
}
