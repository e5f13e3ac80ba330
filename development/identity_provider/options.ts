/** How to run the development identity provider. */
export interface IdentityProviderOptions {
  host: string
  /** 0 picks a free port. */
  port: number
  /** What tokens name as `iss`; `http://{host}:{port}` by default. */
  issuer?: string
  /**
   * Path of the signing key (a private JWK). Created when missing, with its directory, so that tokens stay valid over
   * restarts. Changed names are kept beside it.
   */
  keysFile: string
  clientId: string
  /** Audiences of the access tokens; the client id is added when missing. */
  audience: string[]
  redirectUris: string[]
  /** Opens the user API (`/v2/users/...`), which refuses every call without it. */
  serviceAccountToken?: string
}

export interface RunningIdentityProvider {
  issuer: string
  port: number
  /** Stops listening and ends open connections. Calling it again does nothing more. */
  close(): Promise<void>
}
