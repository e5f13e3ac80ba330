import app from '@adonisjs/core/services/app'
import env from '#start/env'
import identityProvider from '#config/identity_provider'
import { commaSeparated } from '#core/values/comma_separated'

const internalPort = env.get('INTERNAL_PORT')

export default {
  /** Lists allow rotation. */
  internalKeys: commaSeparated(env.get('INTERNAL_API_KEY')),
  /** Whether the platform's keys may change and send system types. */
  internalKeyEditsSystemTypes: env.get('INTERNAL_KEY_EDITS_SYSTEM_TYPES') ?? !app.inProduction,
  webhookSecrets: commaSeparated(env.get('WEBHOOK_SECRET')),

  token: {
    issuer: identityProvider.issuer,
    audience: commaSeparated(env.get('IDP_AUDIENCE') || env.get('IDP_CLIENT_ID')),
    clockToleranceSeconds: 5,
    clientId: env.get('IDP_CLIENT_ID') || undefined,
    /** Only those of the development provider, which never runs in production. */
    acceptsIdTokens: identityProvider.isEmbedded,
  },

  superAdmins: commaSeparated(env.get('SUPER_ADMINS')),

  /** Networks that may call check endpoints without a token. */
  checkAllowedNetworks: commaSeparated(
    env.get('CHECK_ALLOWED_NETWORKS') ||
      '127.0.0.0/8,::1/128,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fc00::/7'
  ),
  /** If set, checks and metrics require one of these keys. */
  checkKeys: commaSeparated(env.get('CHECK_KEYS')),
  /** Machine users that may call the AuthZEN endpoints from anywhere. */
  authzenClients: commaSeparated(env.get('AUTHZEN_CLIENTS')),
  internalListener: {
    port: internalPort,
    host: env.get('INTERNAL_HOST') ?? '127.0.0.1',
  },
  /** In production this must be set explicitly, because only the network protects these routes. */
  servesChecksPublicly:
    env.get('CHECK_ON_PUBLIC_PORT') ?? (internalPort === undefined && !app.inProduction),
}
