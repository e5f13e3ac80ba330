export interface IdentityProviderOptions {
  host: string
  /** 0 picks a free port. */
  port: number
  /** Default: `http://{host}:{port}`. */
  issuer?: string
  /**
   * A private JWK, created if it is missing, so that tokens survive restarts. The state is kept
   * beside it.
   */
  keysFile: string
  clientId: string
  /** The client id is always included. */
  audience: string[]
  redirectUris: string[]
  /** The confidential client of the admin panel. */
  panel?: PanelClient
  /** Without it, the API refuses every call. */
  serviceAccountToken?: string
}

export interface PanelClient {
  id: string
  secret: string
  redirectUri: string
  signedOutUri: string
}

export interface RunningIdentityProvider {
  issuer: string
  port: number
  /** May be called repeatedly. */
  close(): Promise<void>
}
