import { type JWTPayload, errors, jwtVerify } from 'jose'
import { DateTime } from 'luxon'
import { UpstreamUnreachable } from '#core/exceptions/problems'
import { normalizeEmail } from '#core/values/email'
import { EmailNotVerified, InvalidToken } from '#app/auth/exceptions'
import { Issuer } from '#app/auth/token/issuer'
import { type Claims, Userinfo } from '#app/auth/token/userinfo'
import { callerNames } from '#app/auth/token/caller_names'
import type { Caller } from '#app/auth/values/caller'

/** Asymmetric algorithms only: with a public key known to all, an HMAC proves nothing. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512'],
  ...['PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512'],
  ...['EdDSA', 'Ed25519'],
]

const BEARER = /^Bearer +([\w-]+\.[\w-]*\.[\w-]*)$/i
const MAX_TOKEN_LENGTH = 16_384
const ORGANISATION_CLAIM = 'urn:zitadel:iam:user:resourceowner:id'

type VerifiedClaims = Claims & { sub: string; iat: number; exp: number }

export interface TokenSettings {
  issuer: string
  /** Accepted audiences; empty accepts any, which production settings do not allow. */
  audience: string[]
  clockToleranceSeconds: number
}

/**
 * Turns an `Authorization` header into the caller it proves (decisions 2.1).
 */
export class TokenVerifier {
  readonly #settings: TokenSettings
  readonly #issuer: Issuer
  readonly #userinfo: Userinfo

  constructor(settings: TokenSettings, issuer = new Issuer(settings.issuer)) {
    this.#settings = settings
    this.#issuer = issuer
    this.#userinfo = new Userinfo(issuer)
  }

  /**
   * @throws InvalidToken, EmailNotVerified when the header proves nobody
   * @throws UpstreamUnreachable when the issuer must be asked and cannot be
   */
  async verify(authorization: string | undefined): Promise<Caller> {
    const token = readBearer(authorization)
    const payload = await this.#verifyToken(token)
    const claims = await this.#claimsWithEmail(token, payload)
    const organisation = payload[ORGANISATION_CLAIM]
    return {
      email: verifiedEmail(claims),
      subject: payload.sub,
      issuedAt: DateTime.fromSeconds(payload.iat, { zone: 'utc' }),
      expiresAt: payload.exp * 1_000,
      names: callerNames(claims),
      organisationId: isUsableId(organisation) ? organisation : null,
      token,
    }
  }

  async #verifyToken(token: string) {
    const { issuer, audience, clockToleranceSeconds } = this.#settings
    try {
      const { payload } = await jwtVerify(token, this.#issuer.findKey, {
        issuer,
        algorithms: ALGORITHMS,
        clockTolerance: clockToleranceSeconds,
        requiredClaims: ['exp', 'iat', 'sub'],
        ...(audience.length > 0 && { audience }),
      })
      return requireTypedClaims(payload)
    } catch (error) {
      if (error instanceof errors.JOSEError) throw new InvalidToken(describe(error), error)
      if (error instanceof InvalidToken) throw error
      throw new UpstreamUnreachable({
        detail: 'The signing keys of the identity provider cannot be fetched',
        cause: error,
      })
    }
  }

  async #claimsWithEmail(token: string, payload: VerifiedClaims) {
    if (payload.email !== undefined) return payload
    const userinfo = await this.#userinfo.of(token, payload.sub, payload.exp)
    return { ...payload, ...userinfo }
  }
}

function readBearer(authorization: string | undefined): string {
  if (authorization === undefined) throw new InvalidToken('The Authorization header is missing')
  const token =
    authorization.length <= MAX_TOKEN_LENGTH ? BEARER.exec(authorization)?.[1] : undefined
  if (token === undefined) throw new InvalidToken('The Authorization header holds no bearer token')
  return token
}

function requireTypedClaims(payload: JWTPayload): VerifiedClaims {
  const { sub, iat, exp } = payload
  if (!isUsableId(sub)) throw new InvalidToken('The token names no usable subject')
  if (!DateTime.fromSeconds(iat!).isValid) throw new InvalidToken('The token has no usable iat')
  return { ...payload, sub, iat: iat!, exp: exp! }
}

function verifiedEmail(claims: Claims): string {
  const email = typeof claims.email === 'string' ? normalizeEmail(claims.email) : null
  if (email === null) throw new InvalidToken('The token leads to no e-mail address')
  if (claims.email_verified === false || claims.email_verified === 'false') {
    throw new EmailNotVerified()
  }
  return email
}

/** Says what is wrong without quoting anything the token holds. */
function describe(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'The token has expired'
  if (error instanceof errors.JWTClaimValidationFailed) {
    return `The claim ${error.claim.replace(/[^\w:-]/g, '')} is missing or wrong`
  }
  if (error instanceof errors.JWKSNoMatchingKey) return 'The signing key is not known'
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'The signature is wrong'
  if (error instanceof errors.JOSEAlgNotAllowed) return 'The signing algorithm is not allowed'
  return 'The token is malformed'
}

/** An id as OpenID Connect allows it, so that it can be stored. */
function isUsableId(value: unknown): value is string {
  return typeof value === 'string' && /^[\x20-\x7e]{1,255}$/.test(value)
}
