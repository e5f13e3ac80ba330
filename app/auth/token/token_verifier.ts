import { type JWTPayload, errors, jwtVerify } from 'jose'
import { DateTime } from 'luxon'
import { UpstreamUnreachable } from '#core/exceptions/problems'
import { isAcceptedOrganisation } from '#app/profiles/values/account'
import {
  ExpiredToken,
  InvalidToken,
  OrganisationNotAccepted,
  UnknownSigningKey,
} from '#app/auth/exceptions'
import { Issuer, KeyNotLookedUp } from '#app/auth/token/issuer'
import { type Claims, Userinfo } from '#app/auth/token/userinfo'
import { warnAboutLongLifetime } from '#app/auth/token/warn_about_long_lifetime'
import { VerifiedTokens } from '#app/auth/token/verified_tokens'
import { resolveVerifiedEmail, saysWhetherVerified } from '#app/auth/token/resolve_verified_email'
import { callerNames } from '#app/auth/token/caller_names'
import { type TokenKindSettings, requireAccessToken } from '#app/auth/token/require_access_token'
import type { Identity, MachineIdentity } from '#app/auth/values/caller'

/** Asymmetric algorithms only: an HMAC with a public key would prove nothing. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]

const BEARER = /^Bearer +([\w-]+\.[\w-]*\.[\w-]*)$/i
const MAX_TOKEN_LENGTH = 16_384
const DAY_SECONDS = 24 * 60 * 60
const ORGANISATION_CLAIM = 'urn:zitadel:iam:user:resourceowner:id'

type VerifiedClaims = Claims & { sub: string; iat: number; exp: number }

export interface TokenSettings extends TokenKindSettings {
  issuer: string
  /** Accepted audiences. Empty accepts any, which production settings do not allow. */
  audience: string[]
  clockToleranceSeconds: number
}

export class TokenVerifier {
  readonly #settings: TokenSettings
  readonly #issuer: Issuer
  readonly #userinfo: Userinfo
  readonly #verified = new VerifiedTokens<VerifiedClaims>()
  /** By the claims that are remembered, of tokens that need no userinfo. */
  readonly #identities = new WeakMap<VerifiedClaims, Omit<Identity, 'token'>>()

  constructor(settings: TokenSettings, issuer = new Issuer(settings.issuer)) {
    this.#settings = settings
    this.#issuer = issuer
    this.#userinfo = new Userinfo(issuer)
  }

  /** How long ago the issuer's keys were read, in milliseconds; null if they never were. */
  get keysAgeMs(): number | null {
    return this.#issuer.keysAgeMs
  }

  /** Of a token that was verified before, without waiting. Undefined if `verify` has to decide. */
  findVerified(authorization: string | undefined): Identity | undefined {
    const token = bearerIn(authorization)
    const remembered = token === undefined ? undefined : this.#verified.get(token)
    if (!remembered || remembered.keys !== this.#issuer.currentKeySet) return undefined
    const identity = this.#identities.get(remembered.claims)
    if (!identity || !isAcceptedOrganisation(identity.organisationId)) return undefined
    return { ...identity, token: token! }
  }

  /** @throws InvalidToken, EmailNotVerified, OrganisationNotAccepted, UpstreamUnreachable */
  async verify(authorization: string | undefined): Promise<Identity> {
    const { token, payload, organisationId } = await this.#verifyAccepted(authorization)
    const known = this.#identities.get(payload)
    if (known) return { ...known, token }
    const { email, claims } = await resolveVerifiedEmail(payload, () =>
      this.#userinfo.of(token, payload.sub, payload.exp)
    )
    const identity = {
      email,
      subject: payload.sub,
      issuedAt: DateTime.fromSeconds(payload.iat, { zone: 'utc' }),
      expiresAt: payload.exp * 1_000,
      names: callerNames(claims),
      organisationId,
    }
    if (saysWhetherVerified(payload)) this.#identities.set(payload, identity)
    return { ...identity, token }
  }

  /**
   * For machine users, which need no e-mail address. The caller decides which of them to accept.
   *
   * @throws InvalidToken, OrganisationNotAccepted, UpstreamUnreachable
   */
  async verifyMachine(authorization: string | undefined): Promise<MachineIdentity> {
    const { payload } = await this.#verifyAccepted(authorization)
    const clients = [payload.client_id, payload.azp].filter((claim) => typeof claim === 'string')
    return { subject: payload.sub, clients, hasAddress: payload.email !== undefined }
  }

  async #verifyAccepted(authorization: string | undefined) {
    const token = readBearer(authorization)
    const payload = await this.#verifyToken(token)
    const organisationId = readOrganisation(payload)
    if (!isAcceptedOrganisation(organisationId)) throw new OrganisationNotAccepted()
    return { token, payload, organisationId }
  }

  async #verifyToken(token: string): Promise<VerifiedClaims> {
    try {
      const remembered = this.#verified.get(token)
      if (remembered && remembered.keys === (await this.#issuer.keySet())) return remembered.claims
      const keys = this.#issuer.loadedKeySet
      const claims = await this.#verifyClaims(token)
      if (keys) this.#verified.set(token, { claims, keys })
      return claims
    } catch (error) {
      if (error instanceof KeyNotLookedUp) throw new UnknownSigningKey(describeError(error), error)
      if (error instanceof errors.JWTExpired) throw new ExpiredToken(describeError(error), error)
      if (error instanceof errors.JOSEError) throw new InvalidToken(describeError(error), error)
      if (error instanceof InvalidToken) throw error
      throw new UpstreamUnreachable({
        detail: 'The signing keys of the identity provider cannot be fetched',
        cause: error,
      })
    }
  }

  async #verifyClaims(token: string): Promise<VerifiedClaims> {
    const { issuer, audience, clockToleranceSeconds } = this.#settings
    const { payload, protectedHeader } = await jwtVerify(token, this.#issuer.findKey, {
      issuer,
      algorithms: ALGORITHMS,
      clockTolerance: clockToleranceSeconds,
      requiredClaims: ['exp', 'iat', 'sub'],
      ...(audience.length > 0 && { audience }),
    })
    requireAccessToken(protectedHeader, payload, this.#settings)
    return this.#requireTypedClaims(payload)
  }

  #requireTypedClaims(payload: JWTPayload): VerifiedClaims {
    const { sub, iat, exp } = payload
    const now = Date.now() / 1_000
    if (!isUsableId(sub)) throw new InvalidToken('The token has no valid subject')
    if (!DateTime.fromSeconds(iat!).isValid) throw new InvalidToken('The token has no valid iat')
    if (iat! > now + this.#settings.clockToleranceSeconds)
      throw new InvalidToken('The token was issued in the future')
    if (exp! > now + DAY_SECONDS) warnAboutLongLifetime(payload)
    return { ...payload, sub, iat: iat!, exp: exp! }
  }
}

function bearerIn(authorization = ''): string | undefined {
  return authorization.length <= MAX_TOKEN_LENGTH ? BEARER.exec(authorization)?.[1] : undefined
}

function readBearer(authorization: string | undefined): string {
  if (authorization === undefined) throw new InvalidToken('The Authorization header is missing')
  const token = bearerIn(authorization)
  if (token === undefined)
    throw new InvalidToken('The Authorization header contains no bearer token')
  return token
}

function readOrganisation(payload: VerifiedClaims): string | null {
  const organisation = payload[ORGANISATION_CLAIM]
  return isUsableId(organisation) ? organisation : null
}

/** Does not quote the token. */
function describeError(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'The token has expired'
  if (error instanceof errors.JWTClaimValidationFailed) {
    return `The claim ${error.claim.replace(/[^\w:-]/g, '')} is missing or wrong`
  }
  if (error instanceof errors.JWKSNoMatchingKey) return 'The signing key is unknown'
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'The signature is invalid'
  if (error instanceof errors.JOSEAlgNotAllowed) return 'The signing algorithm is not allowed'
  return 'The token is malformed'
}

function isUsableId(value: unknown): value is string {
  return typeof value === 'string' && /^[\x20-\x7e]{1,255}$/.test(value)
}
