import { ProviderMailSource } from '#app/identity_provider/mail_hook/provider_mail_source'
import { RequestedReconciliationSource } from '#app/identity_provider/reconciliation/requested_source'
import { ReconciliationSource } from '#app/identity_provider/reconciliation/reconciliation_source'

export const identityProviderWork = [
  new ProviderMailSource(),
  new ReconciliationSource(),
  new RequestedReconciliationSource(),
]
