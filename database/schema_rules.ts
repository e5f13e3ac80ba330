import type { SchemaRules } from '@adonisjs/lucid/types/schema_generator'

const columns = (...namedImports: string[]) => [{ source: '#core/database/columns', namedImports }]
const luxon = { source: 'luxon', namedImports: ['DateTime'] }
const timestamp = (args?: Record<string, boolean>) => ({
  tsType: 'DateTime',
  imports: [luxon, ...columns('timestampColumn')],
  decorators: [{ name: '@timestampColumn', args }],
})
const json = (tsType: string, name?: string) => ({
  tsType,
  imports: [
    ...columns('jsonColumn'),
    ...(name ? [{ source: name, namedImports: [tsType.replace('[]', '')] }] : []),
  ],
  decorators: [{ name: '@jsonColumn' }],
})
const strings = {
  tsType: 'string[]',
  imports: columns('jsonColumn'),
  decorators: [{ name: '@jsonColumn' }],
}

export default {
  types: {
    boolean: {
      tsType: 'boolean',
      imports: columns('booleanColumn'),
      decorators: [{ name: '@booleanColumn' }],
    },
    DateTime: timestamp(),
  },
  columns: {
    created_at: timestamp({ autoCreate: true }),
    updated_at: timestamp({ autoCreate: true, autoUpdate: true }),
    supported_languages: strings,
    channels: strings,
    events: strings,
    sensitive_variables: strings,
    at: timestamp(),
    callback_urls: strings,
    post_logout_urls: strings,
    smtp: json('StoredSmtp', '#app/platform/values/brand_mail'),
    dkim: json('StoredDkim', '#app/platform/values/brand_mail'),
    appearance: json('Appearance', '#app/platform/values/appearance'),
    variables: json('TemplateVariable[]', '#app/notifications/values/template_variable'),
    payload: json('Record<string, unknown>'),
    data: json('Record<string, unknown>'),
    audience: json('Record<string, unknown>'),
    setup_uris: json('ClientUris', '#app/identity_provider/oidc_clients/client_uris'),
    sync_uris: json('ClientUris', '#app/identity_provider/oidc_clients/client_uris'),
    state: json('Record<string, unknown>'),
    properties: json('Record<string, unknown>'),
    facts: json('ProviderUserFacts', '#app/identity_provider/user_lifecycle/provider_user_facts'),
  },
} satisfies SchemaRules
