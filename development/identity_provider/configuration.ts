import type { Configuration } from 'oidc-provider'
import { TOKEN_LIFETIME_SECONDS, accessTokenClaims, userClaims } from './claims.ts'
import { AccountDirectory } from './directory.ts'
import { CLAIMS_BY_SCOPE, SCOPES, grantEverything, prompts } from './grants.ts'
import { memoryAdapter } from './memory_adapter.ts'
import type { IdentityProviderOptions, PanelClient } from './options.ts'
import {
  deviceCodePage,
  deviceConfirmationPage,
  deviceConnectedPage,
} from './pages/device_pages.ts'
import { errorPage, signOutPage, signedOutPage } from './pages/session_pages.ts'
import { LOGIN_PATH, PATHS } from './paths.ts'
import { provisionedClient } from './provisioned_clients.ts'
import { postLogoutUris, withLoopbackNames } from './redirect_uris.ts'
import { ALGORITHM, type SigningKey, cookieSecret } from './signing_key.ts'
import type { StateFile } from './state_file.ts'

const DAY_SECONDS = 24 * 60 * 60

/** Distinct names, because all ports of a host share cookies. */
const COOKIE_NAMES = {
  session: 'development_idp_session',
  interaction: 'development_idp_login',
  resume: 'development_idp_resume',
}

/** The `concierge` command line, which signs in by device code. */
const TERMINAL = {
  client_id: 'concierge-cli',
  client_name: 'Concierge command line',
  redirect_uris: [],
  response_types: [],
  grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
  token_endpoint_auth_method: 'none' as const,
}

/** Makes the OpenID Connect library behave like the real provider. */
export function configuration(
  options: IdentityProviderOptions,
  key: SigningKey,
  file: StateFile
): Configuration {
  const directory = new AccountDirectory(file)
  const redirectUris = withLoopbackNames(options.redirectUris)
  return {
    adapter: memoryAdapter((clientId) => provisionedClient(file.read(), clientId)),
    clients: [
      client(options.clientId, redirectUris),
      TERMINAL,
      ...(options.panel ? [panelClient(options.panel)] : []),
    ],
    clientBasedCORS: (_ctx, origin, { redirectUris: uris = [] }) =>
      uris.some((uri) => URL.parse(uri)?.origin === origin),
    jwks: { keys: [{ ...key.privateJwk }] },
    cookies: { keys: [cookieSecret(key)], names: COOKIE_NAMES },
    routes: PATHS,
    scopes: SCOPES,
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_basic'],
    claims: CLAIMS_BY_SCOPE,
    findAccount: (_ctx, userId) => {
      const account = directory.byId(userId)
      return account && { accountId: userId, claims: () => userClaims(account) }
    },
    loadExistingGrant: grantEverything,
    interactions: { policy: prompts(), url: (_ctx, { uid }) => `${LOGIN_PATH}${uid}` },
    expiresWithSession: () => false,
    renderError: errorPage,
    ttl: {
      AccessToken: TOKEN_LIFETIME_SECONDS,
      AuthorizationCode: 60,
      DeviceCode: 10 * 60,
      Grant: 30 * DAY_SECONDS,
      IdToken: TOKEN_LIFETIME_SECONDS,
      Interaction: DAY_SECONDS / 24,
      RefreshToken: 30 * DAY_SECONDS,
      Session: 14 * DAY_SECONDS,
    },
    formats: {
      customizers: {
        jwt(_ctx, token, parts) {
          const account = 'accountId' in token ? directory.byId(token.accountId) : undefined
          if (!account) throw new Error('An access token requires an account')
          const audience = [options.clientId, ...options.audience]
          const clientId = token.clientId ?? options.clientId
          const claims = accessTokenClaims(account, { clientId, audience })
          parts.header = { typ: 'JWT' }
          parts.payload = { ...parts.payload, ...claims, nbf: parts.payload.iat, scope: undefined }
        },
      },
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      deviceFlow: {
        enabled: true,
        userCodeInputSource: deviceCodePage,
        userCodeConfirmSource: deviceConfirmationPage,
        successSource: deviceConnectedPage,
      },
      introspection: { enabled: true },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, caller, token) => token.clientId === caller.clientId,
      },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: signOutPage,
        postLogoutSuccessSource: signedOutPage,
      },
      // Only access tokens bound to a resource are JWTs, so bind every one.
      resourceIndicators: {
        enabled: true,
        defaultResource: () => 'urn:concierge:development',
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: SCOPES.join(' '),
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: ALGORITHM, kid: key.kid } },
        }),
      },
    },
  }
}

function client(clientId: string, redirectUris: string[]) {
  return {
    client_id: clientId,
    client_name: 'Concierge development',
    redirect_uris: redirectUris,
    post_logout_redirect_uris: postLogoutUris(redirectUris),
    response_types: ['code' as const],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none' as const,
  }
}

function panelClient({ id, secret, redirectUri, signedOutUri }: PanelClient) {
  return {
    client_id: id,
    client_secret: secret,
    client_name: 'Concierge admin panel',
    redirect_uris: withLoopbackNames([redirectUri]),
    post_logout_redirect_uris: withLoopbackNames([signedOutUri]),
    response_types: ['code' as const],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'client_secret_basic' as const,
  }
}
