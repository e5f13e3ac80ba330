import { defineProblem } from '#core/exceptions/problem'

export const LoginFailed = defineProblem('LOGIN_FAILED', 400, 'The login failed')

const InvalidSignatureProblem = defineProblem(
  'INVALID_SIGNATURE',
  401,
  'The signature of the request is missing or wrong'
)
const SignatureExpiredProblem = defineProblem(
  'SIGNATURE_EXPIRED',
  401,
  'The signature of the request has expired or is dated in the future'
)
const ProviderNotConfiguredProblem = defineProblem(
  'PROVIDER_NOT_CONFIGURED',
  503,
  'No signing key of the identity provider is configured yet'
)
const challenge = {
  'www-authenticate': 'Signature realm="concierge", header="IDP-Signature"',
}

export class InvalidSignature extends InvalidSignatureProblem {
  constructor() {
    super({ headers: challenge })
  }
}

export class SignatureExpired extends SignatureExpiredProblem {
  constructor() {
    super({ headers: challenge })
  }
}

export class ProviderNotConfigured extends ProviderNotConfiguredProblem {
  constructor() {
    super({ headers: { 'retry-after': '60' } })
  }
}

export const ServiceAccountNotConfigured = defineProblem(
  'SERVICE_ACCOUNT_NOT_CONFIGURED',
  409,
  'No service account is configured (IDP_SERVICE_ACCOUNT_TOKEN or IDP_SERVICE_ACCOUNT_KEY_FILE)'
)
export const ServiceAccountRejected = defineProblem(
  'SERVICE_ACCOUNT_REJECTED',
  409,
  'The identity provider rejected the service account'
)
export const ServiceAccountLacksPermission = defineProblem(
  'SERVICE_ACCOUNT_LACKS_PERMISSION',
  409,
  'The service account lacks a permission at the identity provider'
)
export const EncryptionKeyNotConfigured = defineProblem(
  'ENCRYPTION_KEY_NOT_CONFIGURED',
  409,
  'IDP_ENCRYPTION_KEY is not set, so signing keys cannot be encrypted'
)
export const ProviderNotSetUp = defineProblem(
  'PROVIDER_NOT_SET_UP',
  409,
  'The e-mail provider must be set up before it can be activated'
)
export const ProviderRefused = defineProblem(
  'IDENTITY_PROVIDER_REFUSED',
  400,
  'The identity provider refused the request'
)
export const StatusChangedMeanwhile = defineProblem(
  'STATUS_CHANGED',
  409,
  'The status of the user changed while the identity provider was being updated',
  'Get the current status of the user, and repeat the request if it still applies.'
)
export const OrganisationNotFound = defineProblem(
  'ORGANISATION_NOT_FOUND',
  404,
  'The organisation does not exist at the identity provider'
)
export const OrganisationExists = defineProblem(
  'ORGANISATION_EXISTS',
  409,
  'The identity provider already has an organisation with this name'
)
export const DomainExists = defineProblem(
  'DOMAIN_EXISTS',
  409,
  'Another organisation at the identity provider has this domain'
)
export const LogoNotUsable = defineProblem(
  'LOGO_NOT_USABLE',
  400,
  'The logo must be an image of at most 512 KiB at a reachable address'
)
export const ApplicationHasNoClient = defineProblem(
  'APPLICATION_HAS_NO_CLIENT',
  409,
  'The application has no OIDC client: set up an organisation for it first'
)
export const ClientBelongsElsewhere = defineProblem(
  'CLIENT_BELONGS_ELSEWHERE',
  409,
  'The OIDC client belongs to the platform itself or to another application',
  "Choose another client name. `IDP_CLIENT_ID` is the platform's own client."
)
export const OrganisationNotServed = defineProblem(
  'ORGANISATION_NOT_SERVED',
  404,
  'This platform does not serve the organisation'
)
