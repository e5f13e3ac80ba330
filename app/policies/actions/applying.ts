import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type Application from '#app/applications/models/application'
import type { PreparedVersions } from '#app/policies/actions/prepare_versions'
import type { PolicyChange } from '#app/policies/values/policy_changes'
import type { PolicyDocument } from '#app/policies/values/policy_document'

/** What each step of applying a policy needs. */
export interface Applying {
  application: Application
  stored: PolicyDocument
  wanted: PolicyDocument
  changes: PolicyChange[]
  prepared: PreparedVersions
  trx: TransactionClientContract
  /** The place of a change in the document; undefined for a removal. */
  placeOf: (change: PolicyChange) => string | undefined
}
