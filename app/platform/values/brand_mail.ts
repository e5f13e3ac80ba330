/** A brand's own SMTP account as it is stored. */
export interface StoredSmtp {
  host: string
  port: number
  secure: boolean
  user: string | null
  /** Encrypted (`#core/secrets`). */
  password: string | null
}

/** A brand's own DKIM key as it is stored. */
export interface StoredDkim {
  domain: string
  selector: string
  /** PEM, encrypted (`#core/secrets`). */
  privateKey: string | null
}
