import { ProviderMailSource } from '#app/identity_provider/mail_hook/provider_mail_source'
import { ReconciliationSource } from '#app/identity_provider/reconciliation/reconciliation_source'

export const identityProviderWork = [new ProviderMailSource(), new ReconciliationSource()]
