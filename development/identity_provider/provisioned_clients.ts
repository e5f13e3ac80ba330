import type { AdapterPayload } from 'oidc-provider'
import type { ClientConfig, State } from './api/state.ts'

const GRANT_TYPES: Record<string, string> = {
  OIDC_GRANT_TYPE_AUTHORIZATION_CODE: 'authorization_code',
  OIDC_GRANT_TYPE_REFRESH_TOKEN: 'refresh_token',
}

/** A client created through the API, as the OpenID Connect library describes it. */
export function provisionedClient({ projects }: State, clientId: string) {
  const client = [...projects.values()]
    .flatMap(({ clients }) => clients)
    .find((one) => one.clientId === clientId)
  return client && metadata(clientId, client.name, client.config)
}

function metadata(clientId: string, name: string, config: ClientConfig): AdapterPayload {
  const { redirectUris, postLogoutRedirectUris, grantTypes } = config
  const wanted = (grantTypes as string[] | undefined) ?? ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE']
  return {
    client_id: clientId,
    client_name: name,
    redirect_uris: redirectUris,
    post_logout_redirect_uris: postLogoutRedirectUris,
    response_types: ['code'],
    grant_types: wanted.map((type) => GRANT_TYPES[type]),
    token_endpoint_auth_method: 'none',
  }
}
