import { defineProblem } from '#core/exceptions/problem'

export const LoginFailed = defineProblem('LOGIN_FAILED', 400, 'The login did not succeed')

const InvalidSignatureProblem = defineProblem(
  'INVALID_SIGNATURE',
  401,
  'The signature of the request is missing or wrong'
)
const SignatureExpiredProblem = defineProblem(
  'SIGNATURE_EXPIRED',
  401,
  'The signature of the request is too old, or of a time to come'
)
const ProviderNotConfiguredProblem = defineProblem(
  'PROVIDER_NOT_CONFIGURED',
  503,
  'This service has no signing key of the identity provider yet'
)
const challenge = {
  'www-authenticate': 'Signature realm="concierge", header="IDP-Signature"',
}

/** A signature header that is missing, malformed or not made with any of our keys. */
export class InvalidSignature extends InvalidSignatureProblem {
  constructor() {
    super({ headers: challenge })
  }
}

/** A signature made with our key, outside the tolerance. */
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
