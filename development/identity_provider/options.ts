export interface IdentityProviderOptions {
  host: string
  /** 0 picks a free port. */
  port: number
  /** Default: `http://{host}:{port}`. */
  issuer?: string
  /** A private JWK, created if it is missing, so that tokens survive restarts. */
  keysFile: string
  clientId: string
  /** The client id is always included. */
  audience: string[]
  redirectUris: string[]
  /** Without it, the user API (`/v2/users/...`) refuses every call. */
  serviceAccountToken?: string
}

export interface RunningIdentityProvider {
  issuer: string
  port: number
  /** May be called repeatedly. */
  close(): Promise<void>
}
